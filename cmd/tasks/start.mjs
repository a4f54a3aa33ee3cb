// npm start: sets everything up, then runs the clinic with a demo history.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

checkTools();
await installPackages();
await build();

const server = spawn(path.join(root, "bin/bitacora"), ["serve", ...process.argv.slice(2)], {
  cwd: root,
  env: { BITACORA_DEMO: "1", BITACORA_LOG_LEVEL: "warn", ...process.env },
  stdio: "inherit",
});
// Ctrl-C reaches the server by itself; it decides when everything is stopped.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(signal ? 1 : code));
