// npm run build: everything that npm start runs, without running it.
import { build, checkTools, installPackages } from "./setup.mjs";

checkTools();
await installPackages();
await build();
