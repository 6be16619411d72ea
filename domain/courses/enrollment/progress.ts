import type { RecordOf } from '../../kernel/model/model.ts'
import type { Loader } from '../../resources/view-types.ts'
import { Access } from '../access.ts'
import { loadContents } from '../shown-contents.ts'
import { completion, type enrollment } from './model.ts'

/** Returns what an enrolment gives at the time of the request; `undefined`: the course is gone. */
const accessBy = async (own: RecordOf<typeof enrollment>, load: Loader): Promise<Access | undefined> => {
  const [contents, completions] = await Promise.all([
    loadContents(own.course_id, load),
    load.where(completion.name, 'enrollment_id', own.id),
  ])
  const completed = new Set(completions.map(({ lesson_id }) => Number(lesson_id)))
  return contents && new Access(contents, { ...own, completed }, load.now(own.workspace_id ?? 0))
}

/** Returns the progress of an enrolment, in whole percent. */
export const progressOf = async (own: RecordOf<typeof enrollment>, load: Loader): Promise<number> =>
  (await accessBy(own, load))?.progress ?? 0

/** Returns the sections whose blocker the enrolment cannot fulfil. */
export const unfulfillableOf = async (own: RecordOf<typeof enrollment>, load: Loader): Promise<number[]> => [
  ...((await accessBy(own, load))?.unfulfillable ?? []),
]
