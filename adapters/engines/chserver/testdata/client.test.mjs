import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ClickHouseError, createClient } from "@clickhouse/client";

// Started by node_test.go, which runs the server.
const url = `http://${process.env.CHSERVER_ADDR}`;
const password = process.env.CHSERVER_PASSWORD;
const quiet = { log: { level: 127 } };

const client = createClient({ url, username: "app", password, ...quiet });
const zipped = createClient({
  url,
  username: "app",
  password,
  compression: { request: true, response: true },
  ...quiet,
});
const analyst = createClient({
  url,
  username: "analyst",
  password: process.env.CHSERVER_ANALYST_PASSWORD,
  clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  ...quiet,
});

before(async () => {
  await client.command({
    query: `CREATE TABLE node_client (id UInt32, name String, tags Array(String), at DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY id`,
  });
});

after(() => Promise.all([client.close(), zipped.close(), analyst.close()]));

async function rows(query, options = {}) {
  const result = await client.query({ query, format: "JSONEachRow", ...options });
  return result.json();
}

test("ping", async () => {
  assert.deepEqual(await client.ping(), { success: true });
  assert.deepEqual(await client.ping({ select: true }), { success: true });
});

test("query with parameters", async () => {
  const query =
    "SELECT {n: UInt32} AS n, {s: String} AS s, {list: Array(String)} AS list, {none: Nullable(String)} AS none";
  const query_params = { n: 7, s: `it's "a" \\ tab\t, line\n, ñ`, list: ["a'b", "c"], none: null };
  const expected = [{ ...query_params }];
  assert.deepEqual(await rows(query, { query_params }), expected);
  assert.deepEqual(await rows(query, { query_params, use_multipart_params: true }), expected);
});

test("JSON with statistics, and settings", async () => {
  const result = await client.query({
    query: "SELECT number AS n FROM numbers(3)",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    query_id: "from-node",
  });
  assert.equal(result.query_id, "from-node");
  assert.equal(result.response_headers["x-clickhouse-query-id"], "from-node");
  const json = await result.json();
  assert.deepEqual(json.data, [{ n: "0" }, { n: "1" }, { n: "2" }]);
  assert.equal(json.rows, 3);
});

for (const [name, c] of [
  ["plain", client],
  ["compressed", zipped],
]) {
  test(`insert and streamed select, ${name}`, async () => {
    const table = `node_insert_${name}`;
    await c.command({ query: `CREATE TABLE ${table} AS node_client` });
    const values = Array.from({ length: 1000 }, (_, id) => ({
      id,
      name: `ñ ${id}`,
      tags: ["a", String(id)],
      at: "2026-01-31 23:59:59.999",
    }));
    const inserted = await c.insert({ table, values, format: "JSONEachRow" });
    assert.equal(inserted.summary.written_rows, "1000");
    await c.insert({
      table,
      values: Readable.from(
        ["2000,x,['y'],2026-01-01 00:00:00.000\n", "2001,x,[],2026-01-01 00:00:00.000\n"],
        {
          objectMode: false,
        },
      ),
      format: "CSV",
      columns: ["id", "name", "tags", "at"],
    });
    await c.command({ query: `INSERT INTO ${table} (id) VALUES (3000)` });

    const result = await c.query({
      query: `SELECT * FROM ${table} ORDER BY id`,
      format: "JSONEachRow",
    });
    const seen = [];
    for await (const chunk of result.stream()) {
      seen.push(...chunk.map((row) => row.json()));
    }
    assert.equal(seen.length, 1003);
    assert.deepEqual(seen.slice(0, 1000), values);

    const csv = await c.query({
      query: `SELECT id FROM ${table} WHERE id >= 2000 ORDER BY id`,
      format: "CSVWithNames",
    });
    assert.equal(await csv.text(), '"id"\n2000\n2001\n3000\n');
  });

  test(`an error after rows were sent, ${name}`, async () => {
    const result = await c.query({
      query:
        "SELECT number, randomPrintableASCII(100) AS x, throwIf(number = 300000, 'in the middle') FROM numbers(400000)",
      format: "JSONEachRow",
      clickhouse_settings: { max_threads: 1, max_block_size: "10000" },
    });
    let seen = 0;
    await assert.rejects(
      async () => {
        for await (const chunk of result.stream()) {
          seen += chunk.length;
        }
      },
      // The server breaks off, which the client may notice before it has unpacked the reason.
      (error) =>
        (c === zipped && error.message === "aborted") ||
        (error instanceof ClickHouseError &&
          error.code === "395" &&
          error.message.includes("in the middle")),
    );
    assert.ok(seen > 0, "no rows came before the error");
  });
}

test("errors", async () => {
  const failed = (code) => (error) => error instanceof ClickHouseError && error.code === code;
  await assert.rejects(rows("SELECT * FROM no_such_table"), failed("60"));
  await assert.rejects(rows("SELEC 1"), failed("62"));
  await assert.rejects(rows("SELECT {n: UInt8}", { query_params: { n: "x" } }), failed("457"));
  await assert.rejects(
    rows("SELECT 1", { clickhouse_settings: { no_such_setting: 1 } }),
    failed("115"),
  );
  await assert.rejects(
    client.insert({ table: "node_client", values: [{ id: "x" }], format: "JSONEachRow" }),
    failed("27"),
  );
  const stranger = createClient({ url, username: "app", password: "wrong", ...quiet });
  await assert.rejects(stranger.query({ query: "SELECT 1" }), failed("516"));
  await stranger.close();
});

test("a session", async () => {
  const session_id = "of node";
  await client.command({ query: "CREATE TEMPORARY TABLE noted (n UInt8)", session_id });
  await client.insert({ table: "noted", values: [{ n: 7 }], format: "JSONEachRow", session_id });
  assert.deepEqual(await rows("SELECT n FROM noted", { session_id }), [{ n: 7 }]);
  await assert.rejects(rows("SELECT n FROM noted"), { code: "60" });
});

test("abort leaves nothing running", async () => {
  const abort = new AbortController();
  const query = client.query({
    query:
      "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number)) /* aborted by node */",
    format: "JSON",
    clickhouse_settings: { readonly: "2" },
    abort_signal: abort.signal,
  });
  setTimeout(() => abort.abort(), 200);
  await assert.rejects(query, /aborted/);
  for (let tries = 0; ; tries++) {
    const [{ n }] = await rows(
      "SELECT toUInt32(count()) AS n FROM system.processes WHERE query LIKE '%aborted by node%' AND query NOT LIKE '%processes%'",
    );
    if (n === 0) break;
    assert.ok(tries < 200, "the aborted query still runs");
    await sleep(50);
  }
});

test("the analyst reads and cannot write", async () => {
  const result = await analyst.query({
    query: "SELECT count() AS n FROM node_client",
    format: "JSONEachRow",
  });
  assert.deepEqual(await result.json(), [{ n: 0 }]);
  await assert.rejects(
    analyst.insert({ table: "node_client", values: [{ id: 1 }], format: "JSONEachRow" }),
    { code: "497" },
  );
});
