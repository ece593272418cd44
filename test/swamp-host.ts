/**
 * A stand-in for swamp around a model: its data, in memory, and the context
 * that a method gets. Written after what is documented and measured of the
 * real one, its surprises included: nothing is pruned on a write, the highest
 * version is the latest, a query passes over rows without a tag, and `select`
 * gives null where it fails.
 *
 * @module
 */
import { Environment } from "@marcbachmann/cel-js";
import { SWAMP_TAGS } from "../schema/mod.ts";
import type { DataHandle, HostContext } from "../extension/store/swamp.ts";

/** One version of an item. */
export interface Version {
  version: number;
  content: string;
  tags: Record<string, string>;
  lifetime: string;
  garbageCollection: number;
  createdAt: string;
}

/** The part of a model that the host needs; a bundle's model fits it too. */
export interface HostModel {
  type: string;
  version: string;
  globalArguments: Parser;
  resources: Record<
    string,
    { schema: Parser; lifetime: string; garbageCollection: number }
  >;
  methods: Record<string, {
    kind?: string;
    arguments: Parser;
    execute(
      args: unknown,
      context: HostContext,
    ): Promise<{ dataHandles: DataHandle[] }>;
  }>;
}

interface Parser {
  safeParse(
    value: unknown,
  ): { success: boolean; data?: unknown; error?: unknown };
}

/** How a run ended. */
export interface HostRun {
  status: "succeeded" | "failed" | "cancelled";
  /** Lines of the run's log. */
  lines: string[];
  /** Items given back: those of the method, else everything written. */
  handles: DataHandle[];
  /** What a failed run says. */
  error?: string;
}

/** What a host is made with. */
export interface HostOptions {
  repoDir: string;
  globalArgs?: Record<string, unknown>;
  /** The definition's name. */
  name?: string;
  /** The clock. */
  now?: () => number;
  /** What a workflow's step puts over every item's tags. */
  tagOverrides?: Record<string, string>;
}

/** See the module. */
export class SwampHost {
  /** All versions of every item, by name. */
  readonly items = new Map<string, Version[]>();
  /** Data that did not fit its spec's schema: swamp only warns. */
  readonly misfits: string[] = [];
  /** Writes and deletions so far. */
  readonly changes: string[] = [];
  /** Called before each write; may abort, or throw like a full disk. */
  beforeWrite: (name: string) => void = () => {};
  #model: HostModel;
  #options: HostOptions;
  #cel = new Environment({ unlistedVariablesAreDyn: true });

  /** A repository with this model and nothing stored. */
  constructor(model: HostModel, options: HostOptions) {
    this.#model = model;
    this.#options = options;
  }

  get #name(): string {
    return this.#options.name ?? "sessions";
  }

  /** The latest version of an item. */
  latest(name: string): Version | undefined {
    const versions = this.items.get(name) ?? [];
    return versions.find((v) =>
      v.version === Math.max(...versions.map((x) => x.version))
    );
  }

  /** The latest content of an item. */
  read(name: string): unknown {
    const version = this.latest(name);
    return version && JSON.parse(version.content);
  }

  /** Names of items that begin so. */
  names(prefix = ""): string[] {
    return [...this.items.keys()].filter((n) => n.startsWith(prefix)).sort();
  }

  /** Runs a method as the command line does. */
  async run(
    method: string,
    args: Record<string, unknown> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<HostRun> {
    const spec = this.#model.methods[method];
    if (!spec) throw new Error(`no method ${method}`);
    const written: DataHandle[] = [];
    const lines: string[] = [];
    const ended = (
      status: HostRun["status"],
      more: Partial<HostRun> = {},
    ): HostRun => ({ status, lines, handles: written, ...more });
    const { globalArgs = {} } = this.#options;
    // Global arguments stand in where the method has one of the same name.
    const parsed = spec.arguments.safeParse({ ...globalArgs, ...args });
    if (!parsed.success) return ended("failed", { error: said(parsed.error) });
    try {
      const result = await spec.execute(
        parsed.data,
        this.#context(method, lines, written, signal),
      );
      const given = result.dataHandles;
      return ended("succeeded", given.length ? { handles: given } : {});
    } catch (error) {
      return ended(signal.aborted ? "cancelled" : "failed", {
        error: said(error),
      });
    }
  }

  /** Leaves what a killed run does: a version that nothing knows of. */
  leaveBroken(name: string): void {
    const versions = this.items.get(name) ?? [];
    const version = Math.max(0, ...versions.map((v) => v.version)) + 1;
    this.#broken.add(`${name}\0${version}`);
  }
  #broken = new Set<string>();

  #versionsOnDisk(name: string): number[] {
    const broken = [...this.#broken].map((key) => key.split("\0"))
      .filter(([n]) => n === name).map(([, v]) => Number(v));
    return [...(this.items.get(name) ?? []).map((v) => v.version), ...broken]
      .sort((a, b) => a - b);
  }

  #context(
    methodName: string,
    lines: string[],
    written: DataHandle[],
    signal: AbortSignal,
  ): HostContext {
    const log = (text: string, values: Record<string, unknown> = {}) => {
      lines.push(
        text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key])),
      );
    };
    const context = {
      methodName,
      signal,
      repoDir: this.#options.repoDir,
      modelType: { normalized: this.#model.type },
      modelId: "00000000-0000-4000-8000-000000000001",
      definition: { name: this.#name },
      globalArgs: this.#options.globalArgs ?? {},
      logger: { info: log, warn: log },
      writeResource: (
        spec: string,
        name: string,
        data: Record<string, unknown>,
        overrides?: {
          lifetime?: string;
          garbageCollection?: number;
          tags?: Record<string, string>;
        },
      ) => later(() => this.#write(spec, name, data, overrides, written)),
      readResource: (name: string) =>
        later(() => (this.read(name) ?? null) as Record<string, unknown>),
      queryData: (predicate: string, select?: string) =>
        later(() => this.#query(predicate, select)),
      dataRepository: {
        listVersions: (_type: unknown, _model: string, name: string) =>
          later(() => this.#versionsOnDisk(name)),
        delete: (
          _type: unknown,
          _model: string,
          name: string,
          version?: number,
        ) => later(() => this.#delete(name, version)),
      },
    };
    return context;
  }

  #write(
    spec: string,
    name: string,
    data: Record<string, unknown>,
    overrides: {
      lifetime?: string;
      garbageCollection?: number;
      tags?: Record<string, string>;
    } = {},
    written: DataHandle[],
  ): DataHandle {
    const resource = this.#model.resources[spec];
    if (!resource) throw new Error(`undeclared resource ${spec}`);
    if (!/^(?!latest$)(?!.*\.\.)[^/\\\0]{1,255}$/.test(name)) {
      throw new Error(`the name ${JSON.stringify(name)} cannot be used`);
    }
    this.beforeWrite(name);
    if (!resource.schema.safeParse(data).success) this.misfits.push(name);
    const tags = { type: "resource", ...overrides.tags };
    for (const key of SWAMP_TAGS) {
      if (overrides.tags && key in overrides.tags) {
        throw new Error(`the tag ${key} is swamp's own`);
      }
    }
    const version = Math.max(0, ...this.#versionsOnDisk(name)) + 1;
    const content = JSON.stringify(data);
    const list = this.items.get(name) ?? [];
    list.push({
      version,
      content,
      tags: {
        ...tags,
        specName: spec,
        modelName: this.#name,
        initiatedBy: "test",
        ...this.#options.tagOverrides,
      },
      lifetime: overrides.lifetime ?? resource.lifetime,
      garbageCollection: overrides.garbageCollection ??
        resource.garbageCollection,
      createdAt: new Date((this.#options.now ?? Date.now)()).toISOString(),
    });
    this.items.set(name, list);
    this.changes.push(`write ${name} ${version}`);
    const handle: DataHandle = {
      name,
      version,
      size: new TextEncoder().encode(content).length,
      attributes: { ...data },
    };
    written.push(handle);
    return handle;
  }

  #delete(name: string, version?: number): void {
    this.changes.push(`delete ${name} ${version ?? "all"}`);
    if (version === undefined) {
      this.items.delete(name);
      return;
    }
    this.#broken.delete(`${name}\0${version}`);
    const left = (this.items.get(name) ?? []).filter((v) =>
      v.version !== version
    );
    const highest = Math.max(
      ...this.#versionsOnDisk(name),
      ...left.map((v) => v.version),
    );
    if (this.#broken.has(`${name}\0${highest}`)) {
      throw new Error(`${name}: the latest version would have no content`);
    }
    if (left.length > 0) this.items.set(name, left);
    else this.items.delete(name);
  }

  #query(predicate: string, select?: string): unknown[] {
    if (/\b(?:attributes|content)\b/.test(predicate + (select ?? ""))) {
      throw new Error("this query loads every row's content");
    }
    const history = /(?<![."\w])(?:version|isLatest)\b/.test(predicate);
    const takes = this.#cel.parse(predicate);
    const shows = select === undefined ? undefined : this.#cel.parse(select);
    const found: unknown[] = [];
    for (const [name, versions] of this.items) {
      const latest = this.latest(name);
      for (const v of versions) {
        if (!history && v !== latest) continue;
        const row = {
          name,
          version: BigInt(v.version),
          isLatest: v === latest,
          createdAt: v.createdAt,
          lifetime: v.lifetime,
          tags: v.tags,
          modelName: this.#name,
          modelType: this.#model.type,
          specName: v.tags.specName,
          dataType: "resource",
          contentType: "application/json",
        };
        try {
          if (takes(row) !== true) continue;
        } catch {
          continue;
        }
        if (!shows) throw new Error("a query without select loads content");
        try {
          found.push(numbers(shows(row)));
        } catch {
          found.push(null);
        }
      }
    }
    return found;
  }
}

/** CEL's integers as numbers. */
function numbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return Array.isArray(value) ? value.map(numbers) : value;
}

/** Everything that the host does takes a turn of the event loop. */
async function later<T>(make: () => T): Promise<T> {
  await new Promise((done) => setTimeout(done, 0));
  return make();
}

const said = (error: unknown): string =>
  error instanceof Error ? error.message : JSON.stringify(error);
