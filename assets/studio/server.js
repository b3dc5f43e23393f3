// What the studio asks of its server.
const $ = id => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") ?? "";
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => dark.matches ? "dark" : "light";

function address(path, values = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== null && value !== "") query.set(name, value);
  return `${path}?${query}`;
}
async function ask(path, values, { method = "GET", body, signal } = {}) {
  let answer;
  try {
    answer = await fetch(address(path, values), { method, body, signal, headers: { "X-Token": token } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The studio does not answer: is `engine studio` still running?");
  }
  return answer;
}
// An answer in JSON; errors are thrown, with the answer in them.
async function json(path, values, options) {
  const answer = await ask(path, values, options), value = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(value.error), { status: answer.status, value });
  return value;
}
// Runs a task on a text. Calls back with each line as it comes, and returns the exit status and the messages.
async function run(task, text, values, signal, each = () => {}) {
  const answer = await ask(`/api/run/${task}`, values, { method: "POST", body: text, signal });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", last = null;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line) continue;
      const found = JSON.parse(line);
      if (Object.hasOwn(Object(found), "exit") && "messages" in found) last = found;
      else each(found);
    }
  }
  return last ?? { exit: null, messages: "the work was ended" };
}
// Runs a task with one result: the first line that is no event. It does not wait for the end of the process.
const isEvent = line => ["progress", "edit"].some(name => Object.hasOwn(Object(line), name));
const one = (task, text, values, signal, each = () => {}) => new Promise((resolve, reject) =>
  run(task, text, values, signal, line => isEvent(line) ? each(line) : resolve(line))
    .then(({ messages }) => reject(new Error(messages || "nothing came of it")), reject));
// The results for a text that were not cut short, for when it is the same again, such as after Undo.
const remembered = new Map(), MOST_REMEMBERED = 200, LONGEST_REMEMBERED = 20000;
async function recalled(task, text, values, signal, each) {
  const key = JSON.stringify([task, text, values]);
  if (remembered.has(key)) return remembered.get(key);
  const found = await one(task, text, values, signal, each);
  if (!found.limit && text.length <= LONGEST_REMEMBERED) remembered.set(key, found);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value);
  return found;
}
// Makes a page that the server keeps for a frame.
const frame = (task, text, values, signal) =>
  json(`/api/run/${task}`, { keep: 1, theme: theme(), ...values }, { method: "POST", body: text, signal });

function element(tag, fields = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith("aria-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}
const many = (number, what) => `${Number(number).toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

// A question in a dialog. Returns the value of the button that was chosen; "" for none.
function question(title, body, buttons) {
  $("dialogTitle").textContent = title;
  $("dialogBody").replaceChildren(...body);
  $("dialogButtons").replaceChildren(...buttons.map(([value, label]) => element("button", { value, textContent: label })),
    element("button", { value: "", textContent: "Cancel" }));
  $("dialog").returnValue = "";
  $("dialog").showModal();
  return new Promise(resolve => { $("dialog").onclose = () => resolve($("dialog").returnValue); });
}
