import type { WriteInput, WriteOperation } from '../operation.ts'
import { rooted, slugOf } from './slug.ts'

/** Makes the value of an attribute that is not sent. */
export type MakeValue = NonNullable<WriteOperation['makes']>[string]

/** Length of the suffix for a path that another record has already. */
const SUFFIX = 6

/** Returns a path, or one like it where another record has it already. @param isTaken whether a record is seen to have it */
export const freePath = async (
  path: string,
  { isMadeAnew, token }: Pick<WriteInput, 'isMadeAnew' | 'token'>,
  isTaken: () => Promise<boolean>,
): Promise<string> => (isMadeAnew || (await isTaken()) ? `${path}-${token(SUFFIX).toLowerCase()}` : path)

/**
 * Builds the function that makes the path of a new record from its name.
 *
 * @param named the attribute with the name
 * @param former a field with paths that records had before, and keep
 */
export const pathFrom =
  (collection: string, fallback: string, named = 'name', former?: string): MakeValue =>
  (input) => {
    const { fields, owner, read } = input
    const current_path = rooted(slugOf(String(fields[named]), fallback))
    return freePath(current_path, input, async () => {
      const holders = await Promise.all(
        ['current_path', ...(former === undefined ? [] : [former])].map((field) =>
          read.find(collection, { where: { workspace_id: Number(owner?.id), [field]: current_path }, limit: 1 }),
        ),
      )
      return holders.some(({ length }) => length > 0)
    })
  }
