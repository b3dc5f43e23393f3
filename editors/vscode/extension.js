// Starts `engine lsp`, and shows what its commands print. All else is the language server's.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** Runs the command of a lens, with a notification that can cancel it, and shows its output. */
async function run(output, command, args) {
  const options = { location: vscode.ProgressLocation.Notification, title: command.replace("engine.", ""), cancellable: true };
  const result = await vscode.window.withProgress(options, (_, token) =>
    client.sendRequest("workspace/executeCommand", { command, arguments: args }, token));
  if (result.page) {
    await vscode.env.openExternal(vscode.Uri.parse(result.page));
  } else {
    output.clear();
    output.append(result.text);
    output.show(true);
  }
}

function activate(context) {
  const program = vscode.workspace.getConfiguration("puzzles").get("program");
  const output = vscode.window.createOutputChannel("Puzzles");
  const server = { command: program, args: ["lsp"] };
  const languages = ["toml", "puzzlescript", "sokoban", "plaintext"];
  client = new LanguageClient("puzzles", "Puzzles", server, {
    documentSelector: languages.flatMap((language) => [{ scheme: "file", language }, { scheme: "untitled", language }]),
    initializationOptions: { showsResults: true },
    middleware: {
      executeCommand: (command, args) =>
        run(output, command, args).catch((error) => vscode.window.showInformationMessage(error.message)),
    },
  });
  context.subscriptions.push(output, client);
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
