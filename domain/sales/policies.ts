import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transact.ts'
import { type PipelineCommand, pipelineAggregate } from './pipeline/aggregate.ts'

/** Stages of the pipeline that a new workspace begins with; the contract names the first and the last two. */
const DEFAULT_STAGES = [
  { name: 'New Leads', close_probability: 10 },
  { name: 'Qualified', close_probability: 30 },
  { name: 'Proposal', close_probability: 60 },
  { name: 'Closed Won', close_probability: 100 },
  { name: 'Closed Lost', close_probability: 0 },
] as const

/** A new workspace begins with a pipeline. */
export const workspacesBeginWithPipeline: Policy = {
  name: 'workspaces-begin-with-pipeline',
  on: ['WorkspaceOpened'],
  react: (event) => [
    {
      aggregate: pipelineAggregate,
      id: 'new',
      command: (mint): PipelineCommand => ({
        type: 'OpenPipeline',
        name: 'Default',
        stages: DEFAULT_STAGES.map((stage) => ({ id: mint(), ...stage })),
        at: event.metadata.at,
        actor: workerActor('policies'),
      }),
    },
  ],
}
