import { asks } from '../writes.ts'

/** Declares an operation that resumes a stuck process. If the outcome of its call is unknown, it is queried first. Beyond the contract. */
export const resumes = (path: string) =>
  asks(path, 'resume', {
    beyondContract: true,
    consequence: 'goes on with moving money',
    summary: 'Tries what a process is stuck at once more',
  })
