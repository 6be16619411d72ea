import { workspace } from '../account/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { stage } from './pipeline/model.ts'
import { pipelines } from './pipeline/rules.ts'

/** Stages of the pipeline of a new workspace. The contract names the first one and the last two. */
const DEFAULT_STAGES = [
  { name: 'New Leads', close_probability: 10 },
  { name: 'Qualified', close_probability: 30 },
  { name: 'Proposal', close_probability: 60 },
  { name: 'Closed Won', close_probability: 100 },
  { name: 'Closed Lost', close_probability: 0 },
] as const

/** Creates a pipeline in a new workspace. */
export const workspacesBeginWithPipeline = policy({
  name: 'workspaces-begin-with-pipeline',
  on: [workspace.event.WorkspaceOpened],
  react: (_event, _read, mint) => [
    ask(
      pipelines,
      'new',
      'create',
      { name: 'Default', stages_attributes: DEFAULT_STAGES },
      { ids: DEFAULT_STAGES.map(() => mint(stage)) },
    ),
  ],
})
