import { expect } from 'chai'
import { appliedTag } from '../../../../domain/contacts/contact/model.ts'
import { contacts } from '../../../../domain/contacts/public.ts'
import { workflow } from '../../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../../domain/workflows/workflow/rules.ts'
import type { FrozenStep } from '../../../../domain/workflows/workflow/tree.ts'
import { byForm } from '../../../reliability/form.ts'
import { random, seedOfRun } from '../../../support/random.ts'
import { CONTACTS, World } from './world.ts'

const { event } = workflow
const [FIRST, SECOND] = [101, 102]
const [A, B] = [1, 2]
const WORLDS = byForm(10, 100)

const step = (id: number, type: FrozenStep['type'], settings: FrozenStep['settings']): FrozenStep => ({
  ...{ id, type, settings, name: '' },
})
const change = (id: number, action: string, tag: number) =>
  step(id, 'contact_tag_step', { action, contacts_tag_ids: [tag] })

/** Lets a tag start a workflow. */
const startedBy = (world: World, id: number, tag: number, steps: readonly FrozenStep[]): void =>
  world.append(
    ...([workflows, id, event.WorkflowCreated({ name: 'W' })] as const),
    event.TriggerAdded({
      ...{ trigger_id: 10 * id, event_type_key: '$contact.tag_applied', contacts_tag_id: tag },
      ...{ active: true, allow_anonymous_contacts: true },
    } as never),
    event.WorkflowVersionPublished({ version_id: id, number: 1, steps, filter_ids: [], template_ids: [] }),
    event.WorkflowEnabled(),
  )

/** Numbers of runs of both workflows, where a tag starts the first and the log loses a third of its answers. */
const runsWith = async (seed: number, first: readonly FrozenStep[], second: readonly FrozenStep[]) => {
  const world = new World(random(seed))
  startedBy(world, FIRST, A, first)
  startedBy(world, SECOND, B, second)
  await world.send(contacts, CONTACTS[0]!, 'tag', { tag_ids: [A] }, { ids: [world.nextId()], of: appliedTag.name })
  world.loses = 3
  await world.flow()
  const started = world.memory.events.filter(({ type }) => type === 'RunStarted')
  const cut = world.memory.events.filter(({ type }) => type === 'WorkflowChainCut')
  return [FIRST, SECOND].map((id) => ({
    runs: started.filter(({ data }) => data.workflow_id === id).length,
    isCut: cut.some(({ stream }) => stream === `workflow-${id}`),
  }))
}

describe('entries while answers of the log are lost', () => {
  const seeds = random(seedOfRun())
  const chain = [
    { runs: 5, isCut: true },
    { runs: 5, isCut: true },
  ]

  it('14 104: workflows that lead to each other come to ten runs, however late a run learns what it did', async () => {
    for (let one = 0; one < WORLDS; one++) {
      const seed = seeds.below(2 ** 31)
      const first = [change(1, 'Remove Tags', B), change(2, 'Add Tags', B)]
      const second = [change(3, 'Remove Tags', A), change(4, 'Add Tags', A)]
      expect(await runsWith(seed, first, second), `seed ${seed}`).to.deep.equal(chain)
    }
  })

  it('14 91, 104: as do workflows that move the contact to each other', async () => {
    for (let one = 0; one < WORLDS; one++) {
      const seed = seeds.below(2 ** 31)
      const first = [step(1, 'move_step', { workflow_id: SECOND })]
      const second = [step(2, 'move_step', { workflow_id: FIRST })]
      expect(await runsWith(seed, first, second), `seed ${seed}`).to.deep.equal(chain)
    }
  })

  it('14 81: a run whose last step would start its own workflow never does', async () => {
    for (let one = 0; one < WORLDS; one++) {
      const seed = seeds.below(2 ** 31)
      const [first] = await runsWith(seed, [change(1, 'Remove Tags', A), change(2, 'Add Tags', A)], [])
      expect(first, `seed ${seed}`).to.deep.equal({ runs: 1, isCut: false })
    }
  })
})
