import { createClient } from "@clickhouse/client";

// Started by a test: the columns of a query as the official Node client tells them.
const client = createClient({ url: process.env.CLICKHOUSE_URL });
const result = await client.query({ query: process.argv[2], format: "JSON" });
const { meta } = await result.json();
process.stdout.write(JSON.stringify(meta));
await client.close();
