import type { Condition, Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'

/** Executes a query by scanning all documents: a second definition of the query language, without indexes. */
export function naiveFind(all: Iterable<Document>, { where, sort, after, limit }: Query): Document[] {
  const by = sort?.by ?? 'id'
  const direction = sort?.descending ? -1 : 1
  const documents = [...all]
  const order = (a: Document, b: Document) => direction * (compare(a[by], b[by]) || compare(a.id, b.id))
  const found = documents.filter((document) => matches(document, where)).sort(order)
  if (after === undefined) return found.slice(0, limit)
  const place = typeof after === 'object' ? { id: after.id, [by]: by === 'id' ? after.id : after.value } : { id: after }
  return found.filter((document) => order(document, place as Document) > 0).slice(0, limit)
}

export function matches(document: Document, where: Where): boolean {
  return Object.entries(where).every(([field, condition]) => fulfils(document[field], condition))
}

const TESTS: { readonly [operator: string]: (value: unknown, operand: unknown) => boolean } = {
  $in: (value, operand) => (operand as unknown[]).some((each) => equals(value, each)),
  $nin: (value, operand) => !(operand as unknown[]).some((each) => equals(value, each)),
  $ne: (value, operand) => !equals(value, operand),
  $exists: (value, operand) => (value !== undefined) === operand,
  $gt: (value, operand) => some(value, operand, (compared) => compared > 0),
  $gte: (value, operand) => some(value, operand, (compared) => compared >= 0),
  $lt: (value, operand) => some(value, operand, (compared) => compared < 0),
  $lte: (value, operand) => some(value, operand, (compared) => compared <= 0),
}

function fulfils(value: unknown, condition: Condition): boolean {
  if (typeof condition !== 'object' || condition === null) return equals(value, condition)
  return Object.entries(condition).every(([operator, operand]) => TESTS[operator]!(value, operand))
}

function equals(value: unknown, operand: unknown): boolean {
  return candidates(value).some((each) => (each ?? null) === operand)
}

function some(value: unknown, operand: unknown, holds: (compared: number) => boolean): boolean {
  return candidates(value).some((each) => rank(each) === rank(operand) && holds(compare(each, operand)))
}

function candidates(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Sort order: null and missing < numbers < strings by their bytes < booleans. */
export function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return typeof a === 'number' || typeof a === 'boolean' ? Number(a) - Number(b) : 0
}

function rank(value: unknown): number {
  return ['undefined', 'object', 'number', 'string', 'boolean'].indexOf(typeof (value ?? undefined))
}
