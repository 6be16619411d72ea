import type { StreamRecords } from '../../kernel/decide/rules.ts'
import type { Values } from '../../kernel/model/field.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { lesson, section } from './model.ts'

type Blockers = Pick<Values<(typeof section)['attributes']>, 'blocker_section_id' | 'blocker_lesson_id'>

const NAMES = { blocker_section_id: 'Blocker section', blocker_lesson_id: 'Blocker lesson' } as const

/** Returns the sections that must have been opened before one opens: the one that blocks it, and that of the lesson that does. */
const before = (of: Blockers, records: StreamRecords): readonly number[] => {
  const blocking = of.blocker_lesson_id === null ? undefined : records.one(lesson, of.blocker_lesson_id)?.section_id
  return [of.blocker_section_id, blocking].filter((id) => typeof id === 'number')
}

/** Whether a chain of blockers comes back to a section. */
const comesBack = (id: number, own: Blockers, records: StreamRecords): boolean => {
  const seen = new Set<number>()
  const open = [...before(own, records)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true
    if (seen.has(next)) continue
    seen.add(next)
    const found = records.one(section, next)
    if (found) open.push(...before(found, records))
  }
  return false
}

/** Returns why a section cannot be blocked so: a blocker is of the same course, and does not wait for the section itself. */
export const blockerProblem = (id: number, own: Blockers, records: StreamRecords): Refusal | undefined => {
  const { blocker_section_id, blocker_lesson_id } = own
  if (blocker_section_id !== null && !records.one(section, blocker_section_id))
    return refuse.invalid('Blocker section must be of the same course', 'blocker_section_id', 'inclusion')
  if (blocker_lesson_id !== null && !records.one(lesson, blocker_lesson_id))
    return refuse.invalid('Blocker lesson must be of the same course', 'blocker_lesson_id', 'inclusion')
  const fields = ['blocker_section_id', 'blocker_lesson_id'] as const
  const wrong = fields.find((field) => {
    const alone = { blocker_section_id: null, blocker_lesson_id: null, [field]: own[field] }
    return comesBack(id, alone, records)
  })
  return wrong && refuse.invalid(`${NAMES[wrong]} waits for this section itself`, wrong, 'cycle')
}
