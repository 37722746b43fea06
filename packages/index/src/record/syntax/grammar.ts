import type ts from 'typescript';
import type { DraftUnit, FileDraft } from '../draft/draft.ts';
import { fileScope } from '../draft/scope.ts';
import { compiler, SyntaxKind } from '../source/compiler.ts';
import { blockRules } from './blocks.ts';
import { callRules } from './calls.ts';
import { classRules } from './classes.ts';
import { functionRules } from './functions.ts';
import { addTypeReferences } from './import-types.ts';
import { moduleRules } from './modules.ts';
import { type Rule, visitAll, visitChildren } from './rule.ts';
import { typeRules } from './types.ts';
import { variableRules } from './variables.ts';

/** By kind of node, since every node of every file comes through here. */
const RULES: readonly (Rule | undefined)[] = tableOf([
  ...moduleRules,
  ...functionRules,
  ...classRules,
  ...typeRules,
  ...variableRules,
  ...blockRules,
  ...callRules,
]);

function tableOf(rules: readonly Rule[]): (Rule | undefined)[] {
  const table: (Rule | undefined)[] = new Array(SyntaxKind.Count).fill(undefined);
  for (const rule of rules) table[rule.kind] = rule;
  return table;
}

/** Walks a whole file. `module` is the unit that stands for it. */
export function walkFile(source: ts.SourceFile, text: string, module: DraftUnit): FileDraft {
  const file: FileDraft = {
    source,
    text,
    units: [module],
    specifiers: new Map(),
    imports: [],
    exports: new Map(),
    stars: [],
    sites: [],
    literals: new Map(),
    visit(node, scope) {
      const rule = RULES[node.kind];
      if (rule !== undefined) rule.apply(file, node, scope);
      else if (!compiler.isTypeNode(node)) visitChildren(file, node, scope);
    },
  };
  visitAll(file, source.statements, fileScope(module));
  addTypeReferences(file);
  return file;
}
