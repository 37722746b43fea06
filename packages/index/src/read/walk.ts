/** Breadth-first over the edges: what a unit depends on, and what depends on it. */
import { IndexError } from '../errors.ts';
import { edgeOf, type StoredEdge, unitTypeOf } from '../store/segment/rows.ts';
import { edgeTarget } from '../store/segment/targets.ts';
import { unitPlace, type View } from '../store/segment/view.ts';
import type { Snapshot } from './snapshot.ts';
import { compareText, identifierAt, summaryOf, type UnitSummary } from './units.ts';

export type Direction = 'dependencies' | 'dependents';

export interface WalkOptions {
  /** Steps from the unit; 1 by default. */
  readonly depth?: number;
  /** Only edges that came about in one of these ways are followed. */
  readonly via?: readonly string[];
  /** Only units of these types are listed; the walk goes on through the others. */
  readonly types?: readonly string[];
  /** Edges that only a unique name speaks for. Left out by default. */
  readonly guesses?: 'leave_out' | 'include';
  /** 200 by default. */
  readonly maxNodes?: number;
  /** 1,000 by default. */
  readonly maxEdges?: number;
}

export interface Walk {
  readonly root: UnitSummary;
  readonly direction: Direction;
  /** Nearest first, without the root. */
  readonly nodes: readonly { readonly unit: UnitSummary; readonly depth: number }[];
  /** The edges that lead to the listed units, in the order in which they were met. */
  readonly edges: readonly StoredEdge[];
  readonly partial: boolean;
  /** Why it is partial. */
  readonly reason: 'node_budget' | 'edge_budget' | null;
}

/** An edge as the walk meets it: the unit on its far side, and where the edge stands. */
interface Step {
  readonly far: number;
  readonly source: number;
  readonly edge: number;
}

const GUESS = 'name';

/** Throws IndexError `invalid_arguments` for a depth or budget that is not a positive integer. */
export function walk(snapshot: Snapshot, root: number, direction: Direction, options: WalkOptions): Walk {
  const depthLimit = positive('depth', options.depth ?? 1);
  const maxNodes = positive('maxNodes', options.maxNodes ?? 200);
  const maxEdges = positive('maxEdges', options.maxEdges ?? 1000);
  const { view } = snapshot;
  const reached = new Map<number, number>([[root, 0]]);
  const nodes: { unit: UnitSummary; depth: number }[] = [];
  const edges: StoredEdge[] = [];
  const finish = (reason: Walk['reason']): Walk => ({
    root: summaryOf(view, root),
    direction,
    nodes,
    edges,
    partial: reason !== null,
    reason,
  });

  // A Map is walked in the order of insertion, and also over what is added meanwhile: it is the queue.
  for (const [unit, depth] of reached) {
    if (depth >= depthLimit) continue;
    for (const { far, source, edge } of stepsFrom(snapshot, unit, direction)) {
      const place = unitPlace(view, source);
      const stored = edgeOf(place.segment, edge, identifierAt(view, source));
      if (!isFollowed(stored, options)) continue;
      const isListed = far !== root && hasType(view, far, options.types);
      if (isListed) {
        if (edges.length >= maxEdges) return finish('edge_budget');
        if (!reached.has(far) && nodes.length >= maxNodes) return finish('node_budget');
        edges.push(stored);
      }
      if (reached.has(far)) continue;
      reached.set(far, depth + 1);
      if (isListed) nodes.push({ unit: summaryOf(view, far), depth: depth + 1 });
    }
  }
  return finish(null);
}

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new IndexError('invalid_arguments', `expected ${name} to be a positive integer, found ${value}`);
}

function isFollowed(edge: StoredEdge, { via, guesses }: WalkOptions): boolean {
  if (edge.resolution === GUESS && guesses !== 'include') return false;
  return via === undefined || via.includes(edge.via);
}

function hasType(view: View, unit: number, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true;
  const { segment, number } = unitPlace(view, unit);
  return types.includes(unitTypeOf(segment, number));
}

function stepsFrom(snapshot: Snapshot, unit: number, direction: Direction): Step[] {
  return direction === 'dependencies' ? stepsOut(snapshot.view, unit) : stepsIn(snapshot, unit);
}

function stepsOut(view: View, unit: number): Step[] {
  const { at, segment, number } = unitPlace(view, unit);
  const { unit_edge } = segment.columns;
  const steps: Step[] = [];
  for (let edge = unit_edge[number] ?? 0; edge < (unit_edge[number + 1] ?? 0); edge += 1) {
    const far = edgeTarget(view, at, edge);
    if (far >= 0) steps.push({ far, source: unit, edge });
  }
  return steps;
}

/** In the order of identifiers: how segments happen to be cut must not show in an answer. */
function stepsIn(snapshot: Snapshot, unit: number): Step[] {
  const { first, sources, edges } = snapshot.reverse();
  const steps: (Step & { identifier: string })[] = [];
  for (let at = first[unit] ?? 0; at < (first[unit + 1] ?? 0); at += 1) {
    const source = sources[at] ?? 0;
    steps.push({ far: source, source, edge: edges[at] ?? 0, identifier: identifierAt(snapshot.view, source) });
  }
  return steps.sort((a, b) => compareText(a.identifier, b.identifier) || a.edge - b.edge);
}
