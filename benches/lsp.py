#!/usr/bin/env python3
"""Measures `engine lsp` as an editor sees it: the time from a keystroke to its diagnostics and to the proven optimum.

    cargo build --release
    python3 benches/lsp.py [target/release/engine]

Three texts are edited at their ends and in their middles: a puzzle of 200 lines, one of 1 MB, a collection of 1 MB. Then
each puzzle below puzzles/ is opened without the last letter of its domain: the time is that from the keystroke which adds
the letter to the hint with the optimum.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/engine"
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Editor:
    def __init__(self):
        self.child = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids, self.version = 0, 0
        capabilities = {"workspace": {"inlayHint": {"refreshSupport": True}}}
        self.ask("initialize", {"capabilities": capabilities})
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        length = 0
        while line := self.child.stdout.readline().strip():
            name, value = line.split(b": ")
            length = int(value)
        return json.loads(self.child.stdout.read(length))

    def wait(self, is_it):
        while True:
            message = self.read()
            if is_it(message):
                return message

    def ask(self, method, params):
        self.ids += 1
        number = self.ids
        self.send({"id": number, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == number and "method" not in message)["result"]

    def open(self, path, text):
        self.version += 1
        self.uri = f"file://{path}"
        document = {"uri": self.uri, "languageId": "toml", "version": self.version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics()

    def diagnostics(self):
        def is_it(message):
            return message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == self.version
        return self.wait(is_it)["params"]["diagnostics"]

    def change(self, line, start, end, text):
        self.version += 1
        span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": self.uri, "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": span, "text": text}]})

    def close(self):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def hints(self):
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}}
        return self.ask("textDocument/inlayHint", {"textDocument": {"uri": self.uri}, "range": span})

    def hint(self, seconds):
        """Returns the first hint, as soon as it is there."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if hints := self.hints():
                return hints[0]["label"]
            self.wait(lambda message: message.get("method") in ("workspace/inlayHint/refresh", "textDocument/publishDiagnostics"))
        return None


def typing(name, path, text, line, word):
    """Prints the times of keystrokes that write a word behind a line."""
    editor = Editor()
    started = time.monotonic()
    editor.open(path, text)
    opened = time.monotonic() - started
    times = []
    column = len(text.split("\n")[line])
    for at, letter in enumerate(word * 3):
        started = time.monotonic()
        editor.change(line, column + at, column + at, letter)
        editor.diagnostics()
        times.append(1000 * (time.monotonic() - started))
    size = f"{len(text.splitlines())} lines, {len(text) / 1e6:.2f} MB"
    print(f"{name} ({size}): opened in {1000 * opened:.0f} ms; "
          f"a keystroke: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
    editor.child.kill()


def texts():
    rules = "".join(
        f'[[rules]]\nname = "r{number}"\nfrom = "{"ab"[number % 2]}."\nto = ".{"ab"[number % 2]}"\nturns = true\n\n' for number in range(30))
    board = "\n".join("#a..b..#" for _ in range(8))
    puzzle = f"title = 'T'\ndomain = 'rules'\nstart = '''\n{board}\n'''\ngoal = {{ count = {{ a = 8 }} }}\n\n{rules}# "
    yield "a puzzle", "/tmp/a.toml", puzzle, len(puzzle.split("\n")) - 1, "comment"
    width = 1000
    rows = ["#" * width] + ["#" + "." * (width - 2) + "#"] * 998 + ["#" * width]
    rows[1] = "#S" + rows[1][2:]
    rows[998] = rows[998][:-2] + "G#"
    maze = "title = 'T'\ndomain = 'maze'\nmap = '''\n" + "\n".join(rows) + "\n'''\n# "
    yield "a maze", "/tmp/b.toml", maze, len(maze.split("\n")) - 1, "comment"
    level = "; level {}\n\n##########\n#        #\n#  $  .  #\n#  {}@    #\n#   $ .  #\n##########\n\n"
    levels, number = [], 0
    while sum(map(len, levels)) < 1_000_000:
        # Every level is another one.
        walls = f"{number:016b}".replace("0", " ").replace("1", "#")
        body = level.format(number, " ").replace("#        #\n#  $", f"#{walls[:8]}#\n#{walls[8:10]} $", 1)
        levels.append(body)
        number += 1
    text = "".join(levels)
    lines = text.split("\n")
    yield "a collection", "/tmp/c.sok", text, len(lines) // 2 // 9 * 9 + 2, " #"


def optima():
    """Prints the times from the keystroke that completes a puzzle to its optimum."""
    proven, others = [], []
    editor = Editor()
    for path in sorted(ROOT.glob("puzzles/**/*.toml")):
        text = path.read_text()
        lines = text.split("\n")
        at = next(number for number, line in enumerate(lines) if line.startswith("domain"))
        column = lines[at].rindex('"') if '"' in lines[at] else lines[at].rindex("'")
        last = lines[at][column - 1]
        broken = lines[:at] + [lines[at][:column - 1] + lines[at][column:]] + lines[at + 1:]
        editor.open(path, "\n".join(broken))
        editor.hints()
        started = time.monotonic()
        editor.change(at, column - 1, column - 1, last)
        editor.diagnostics()
        label = editor.hint(4)
        took = 1000 * (time.monotonic() - started)
        editor.close()
        is_proven = label is not None and (label.startswith("optimum") or label == "no solution")
        (proven if is_proven else others).append((took, str(path.relative_to(ROOT)), label))
    editor.child.kill()
    total = len(proven) + len(others)
    times = sorted(took for took, _, _ in proven) + [float("inf")] * len(others)
    within = sum(took <= 150 for took in times)
    print(f"{total} puzzles: a proven answer within 150 ms for {within} ({100 * within / total:.0f} %), median {times[total // 2]:.0f} ms, "
          f"nine of ten within {times[total * 9 // 10]:.0f} ms; {len(others)} have no proof within a second")
    for took, path, label in sorted(others):
        print(f"  {path}: {label}")


if __name__ == "__main__":
    for text in texts():
        typing(*text)
    optima()
