import { stepType } from './step-type.ts'

/** Hands the contact over to another workflow. */
export const move = stepType('move_step', {
  refers: {
    workflow_id: {
      to: 'workflow',
      unfit: ({ archived }) => (archived === true ? 'references an archived workflow.' : undefined),
    },
  },
  needs: ['workflow_id'],
  problem: ({ workflow_id }, { workflowId }) =>
    workflow_id === workflowId ? { setting: 'workflow_id', says: 'cannot reference its own workflow.' } : undefined,
  does: { kind: 'moves', target: ({ workflow_id }) => Number(workflow_id) },
})
