// The baseline of swamp.bench.mjs, which copies it into an extension of its
// own: writes prepared items, `atOnce` sessions at once, and nothing else.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "npm:zod@4";

const spec = {
  description: "What was prepared",
  schema: z.record(z.string(), z.unknown()),
  lifetime: "90d",
  garbageCollection: 1,
};

export const model = {
  type: "@bench/baseline",
  version: "2026.01.01.1",
  globalArguments: z.object({}),
  resources: { summary: spec, detail: spec, rollup: spec },
  methods: {
    write: {
      description: "Writes prepared items",
      arguments: z.object({ items: z.string(), atOnce: z.number() }),
      async execute({ items, atOnce }, context) {
        const writing = new Set();
        let parsing = 0, last;
        const write = async (group) => {
          for (const { spec, name, data, tags, lifetime } of group) {
            last = await context.writeResource(spec, name, data, {
              lifetime,
              garbageCollection: 1,
              tags,
            });
            delete last.attributes;
          }
        };
        const lines = createInterface({ input: createReadStream(items) });
        for await (const line of lines) {
          while (writing.size >= atOnce) await Promise.race(writing);
          const start = performance.now();
          const group = JSON.parse(line);
          parsing += performance.now() - start;
          const one = write(group).finally(() => writing.delete(one));
          writing.add(one);
        }
        await Promise.all(writing);
        context.logger.info("baseline: parsing took {ms} ms", {
          ms: Math.round(parsing),
        });
        return { dataHandles: last ? [last] : [] };
      },
    },
    query: {
      description: "Asks what an import asks",
      arguments: z.object({}),
      async execute(_, context) {
        const rows = await context.queryData(
          'modelName == "sessions" && has(tags.kind) && tags.kind == "agent-session-summary"',
          "[version, tags]",
        );
        context.logger.info("baseline: {rows} rows", { rows: rows.length });
        return { dataHandles: [] };
      },
    },
  },
};
