// npm run sbom: what the product is made of, as CycloneDX, beside the binaries: the Go modules of
// each of them and the npm packages. The first time it fetches the tool, so the build does without.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root, run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

/** Tools that look at the product have a module of their own, so that it does not depend on them. */
export const tools = path.join(root, "cmd/tasks/tools");

const binaries = ["bitacora", "chserver"];
export const packages = path.join(root, "bin/packages.cdx.json");
export const modules = binaries.map((name) => path.join(root, `bin/${name}.cdx.json`));

export const sbom = [
  ...binaries.map((name, index) => [
    `Go modules of ${name}`,
    () =>
      run("go", [
        ...["-C", tools, "tool", "cyclonedx-gomod", "app", "-json", "-std"],
        ...["-licenses", "-assert-licenses", "-main", `cmd/${name}`],
        ...["-noserial", "-notimestamp"], // the same product has the same bill
        ...["-output", modules[index], root],
      ]),
  ]),
  [
    "npm packages",
    async () => {
      const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application"];
      const bill = JSON.parse(await run("npm", [...args, "--loglevel=error"], { quiet: true }));
      delete bill.serialNumber;
      delete bill.metadata.timestamp;
      bill.metadata.component.name = "bitacora"; // npm names it by the checkout's folder
      writeFileSync(packages, `${JSON.stringify(bill, null, 2)}\n`);
    },
  ],
];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkTools();
  await installPackages();
  await build();
  await steps(sbom);
}
