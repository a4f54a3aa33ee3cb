// npm run gen: writes the types of the HTTP contract for both sides. Tests prove them fresh.
import { run, runBin, steps } from "./run.mjs";
import { checkTools, installPackages } from "./setup.mjs";

checkTools();
await installPackages();
await steps([
  [
    "Go types",
    () =>
      run("go", [
        "tool",
        "oapi-codegen",
        "-config",
        "adapters/httpapi/contract/oapi-codegen.yaml",
        "schema/openapi.yaml",
      ]),
  ],
  [
    "TypeScript types",
    () =>
      runBin("openapi-typescript", ["schema/openapi.yaml", "-o", "webapp/src/api/schema.gen.ts"]),
  ],
]);
