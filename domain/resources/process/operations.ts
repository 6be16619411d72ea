import { asks } from '../writes.ts'

/** Has a process that is stuck go on: what is in doubt is asked about first. Beyond the contract. */
export const resumes = (path: string) =>
  asks(path, 'resume', { beyondContract: true, summary: 'Tries what a process is stuck at once more' })
