import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

// Started by a test: the rows of Parquet files, as a library of another language reads them.
const files = await Promise.all(
  process.argv
    .slice(2)
    .map(async (path) =>
      parquetReadObjects({ file: await asyncBufferFromFile(path), compressors }),
    ),
);
process.stdout.write(
  JSON.stringify(files, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
);
