import { isDuplicate } from './failures.ts'

/** Runs an upsert by `_id`, and repeats it once when another process was quicker to insert the document. */
export const retryUpsert = async <T>(upsert: () => Promise<T>): Promise<T> => {
  try {
    return await upsert()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return upsert()
  }
}
