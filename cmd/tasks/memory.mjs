// Where tests keep their temporary files.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import path from "node:path";

const memory = "/dev/shm";
const needed = 10 * 2 ** 30;

/**
 * Lets temporary files lie in memory until the task ends, where enough of it is free, unless TMPDIR names
 * another place. For each new file ext4 looks through those that were deleted in the last minutes, which
 * cost half of the processor time of tests that make and drop databases.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || Math.min(freemem(), free(memory)) < needed) return;
  const folder = mkdtempSync(path.join(memory, "bitacora-tests-"));
  chmodSync(folder, 0o1777); // under root, the engines run as another user
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
}

/** The free bytes of a file system, 0 where there is none. */
function free(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
