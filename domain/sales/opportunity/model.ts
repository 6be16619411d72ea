import { managed } from '../../kernel/model/field.ts'
import { amount, flag, integer, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { idAsText } from '../../resources/schemas.ts'

/** Note on an opportunity. */
export const note = model('sales/opportunities/note', {
  stream: 'sales/opportunity',
  owner: 'opportunity_id',
  attributes: {
    content: longText({ required: true }),
    created_by_id: reference('membership', {
      about: "Default: the membership of the token's agent",
      onTargetEnd: 'keep',
    }),
  },
  events: { NoteWritten: { creates: true }, NoteRevised: { changes: 'rest' }, NoteRemoved: { ends: true } },
})

/** Possible sale to a contact, in a stage of a pipeline. Its notes are removed with it. */
export const opportunity = model('sales/opportunity', {
  attributes: {
    name: text({ required: true }),
    pipelines_stage_id: reference('sales/pipelines/stage', { required: true, onTargetEnd: { act: 'leaveStage' } }),
    primary_contact_id: reference('contact', { required: true }),
    /** Decimal string in the workspace's currency. The contract also allows a number. */
    value: amount({ nullable: true, about: "In the workspace's default currency" }),
    closed_at: moment({ nullable: true }),
    assignee_id: reference('membership', {
      nullable: true,
      about: 'A membership of the team; null unassigns',
      shown: idAsText,
    }),
    // Stages end with their pipeline, and an opportunity that leaves its stage gets the pipeline of the next one.
    pipeline_id: managed(reference('sales/pipeline', { required: true, onTargetEnd: 'keep' }), { shown: idAsText }),
    sort_order: managed(integer({ required: true })),
    ever_closed: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    OpportunityOpened: { creates: true, except: ['closed_at', 'ever_closed'] },
    OpportunityRenamed: { sets: ['name'] },
    OpportunityValued: { sets: ['value'] },
    OpportunityAssigned: { sets: ['assignee_id'] },
    OpportunityContactReplaced: { sets: ['primary_contact_id'] },
    OpportunityStaged: {
      sets: ['pipeline_id', 'pipelines_stage_id', 'sort_order'],
      addsData: (before) => ({ from_stage_id: before.pipelines_stage_id }),
    },
    /** `first` is true only for the first closing, however often the opportunity is reopened and closed again. */
    OpportunityClosed: {
      sets: ['closed_at'],
      constants: { ever_closed: true },
      addsData: (before) => ({ first: !before.ever_closed }),
    },
    OpportunityReopened: { constants: { closed_at: null } },
    OpportunityRemoved: { ends: true },
    // Notes are shown with the opportunity, so their events change it as well.
    NoteWritten: {},
    NoteRevised: {},
    NoteRemoved: {},
  },
  children: { notes: { model: note, key: 'note_id', keys: 'note_ids' } },
})
