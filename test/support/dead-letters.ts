import type { DeadLetter, RefusedCommand } from '../../domain/kernel/ports/reactor-store.ts'

const AT = '2026-07-01T12:00:00.000Z'

/** A dead letter for tests. */
export const deadLetter = (some: Partial<DeadLetter> & Pick<DeadLetter, 'lane' | 'position'>): DeadLetter => ({
  reaction: 'policies',
  gate: 'policies',
  workspace_id: null,
  attempts: 8,
  at: AT,
  error: 'Error: the disk is on fire\n    at burn (disk.js:1:1)',
  ...some,
})

export const refused = (some: Partial<RefusedCommand> & Pick<RefusedCommand, 'position'>): RefusedCommand => ({
  reaction: 'policies',
  workspace_id: null,
  at: AT,
  reason: 'Name has already been taken',
  ...some,
})
