/** Whether what a generation says of its units, edges and counts holds together. */
import type { Manifest } from '../store/generation/manifest.ts';
import { tallyOf } from '../store/generation/tally.ts';
import { edgeOf, spanOf } from '../store/segment/rows.ts';
import { fileOfUnit, findFile, identifierOf, pathOf } from '../store/segment/segment.ts';
import { edgeTarget } from '../store/segment/targets.ts';
import { unitPlace, unitTotal, type View } from '../store/segment/view.ts';
import type { Findings } from './findings.ts';

export function checkUnits(view: View, findings: Findings): void {
  const seen = new Set<string>();
  for (let unit = 0; unit < unitTotal(view); unit += 1) {
    if (view.deadUnits[unit] === 1) continue;
    const { at, segment, number } = unitPlace(view, unit);
    const identifier = identifierOf(segment, number);
    if (seen.has(identifier)) findings.add(`${identifier}: two units have this identifier`);
    seen.add(identifier);
    const { start, end, startLine, endLine } = spanOf(segment, number);
    const size = segment.columns.file_size[fileOfUnit(segment, number)] ?? 0;
    if (start > end || end > size) {
      findings.add(`${identifier}: its span ${start}-${end} is not inside its file of ${size} bytes`);
    }
    if (startLine < 1 || endLine < startLine) findings.add(`${identifier}: its lines are ${startLine}-${endLine}`);
    checkEdges(view, { at, segment, number }, identifier, findings);
  }
}

function checkEdges(
  view: View,
  { at, segment, number }: ReturnType<typeof unitPlace>,
  source: string,
  findings: Findings,
): void {
  const { unit_edge } = segment.columns;
  for (let edge = unit_edge[number] ?? 0; edge < (unit_edge[number + 1] ?? 0); edge += 1) {
    if (edgeTarget(view, at, edge) >= 0) continue;
    const { target, via } = edgeOf(segment, edge, source);
    findings.add(`${source}: its ${via} edge goes to ${target}, which is no unit`);
  }
}

/** A segment must not delete what it holds itself. */
export function checkTombstones(view: View, findings: Findings): void {
  for (const segment of view.segments) {
    for (const path of segment.tombstones) {
      if (findFile(segment, Buffer.from(path)) >= 0) findings.add(`${segment.name}: holds and deletes ${path}`);
    }
    for (let file = 0; file < segment.header.counts.file; file += 1) {
      if (pathOf(segment, file) === '') findings.add(`${segment.name}: holds a file without a path`);
    }
  }
}

export function checkCounts(view: View, manifest: Manifest, findings: Findings): void {
  const { counts, totals } = tallyOf(view);
  const said = new Map(manifest.counts);
  const found = new Map(counts);
  for (const type of new Set([...said.keys(), ...found.keys()])) {
    const [expected, actual] = [said.get(type) ?? 0, found.get(type) ?? 0];
    if (expected !== actual) findings.add(`the manifest counts ${expected} units of type ${type}, there are ${actual}`);
  }
  for (const name of ['files', 'skipped', 'units', 'edges', 'sourceBytes'] as const) {
    if (manifest.totals[name] !== totals[name]) {
      findings.add(`the manifest says ${name} ${manifest.totals[name]}, there are ${totals[name]}`);
    }
  }
}
