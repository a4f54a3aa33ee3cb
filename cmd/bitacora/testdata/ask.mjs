import { text } from "node:stream/consumers";
import { createClient } from "@clickhouse/client";

// Started by a test: the rows that the question on standard input has for the official Node client.
const client = createClient({ url: process.env.CLICKHOUSE_URL });
const result = await client.query({ query: await text(process.stdin), format: "TabSeparated" });
process.stdout.write(await result.text());
await client.close();
