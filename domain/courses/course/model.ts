import { managed } from '../../kernel/model/field.ts'
import { flag, integer, list, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'
import { webAddress } from '../../resources/attributes/web-address.ts'
import { appeared, appearing, publishedBy, publishing } from '../../resources/publishing.ts'
import { idAsText, nullableString } from '../../resources/schemas.ts'

/** Title of the section that each course begins with. All others are in it. */
export const ROOT_TITLE = 'Primary module'

/** Bulk actions by which something was published. */
const publishedByActions = {
  publish_action_ids: managed(list(integer(), { initial: [] }), { shown: 'never' }),
}

type ByAction = { readonly publish_action_id?: number }
const publishedWith = {
  ...publishedBy,
  evolve: (
    before: { readonly publish_action_ids: readonly number[] } | undefined,
    { publish_action_id: id }: ByAction,
  ) => {
    const ids = before?.publish_action_ids ?? []
    return id === undefined || ids.includes(id) ? {} : { publish_action_ids: [...ids, id] }
  },
}

type Scheduled = ByAction & { readonly appears_at: string | null }
const sectionPublished = {
  ...publishedBy,
  evolve: (before: Parameters<typeof publishedWith.evolve>[0], data: Scheduled, { at }: FoldContext) => ({
    ...publishedWith.evolve(before, data),
    put_off_at: data.appears_at !== null && data.publish_action_id === undefined ? at : null,
  }),
}

type WithLessons = { readonly lesson_ids: readonly number[] }

/** Lesson of a section. */
export const lesson = model('courses/lesson', {
  stream: 'course',
  owner: 'course_id',
  attributes: {
    section_id: managed(reference('courses/section', { required: true })),
    title: text({ required: true, trim: true }),
    body: longText({ nullable: true, about: 'Description of the lesson' }),
    lesson_content: { ...longText({ nullable: true, about: 'Markdown' }), shown: 'never' },
    image_id: { ...reference('image', { nullable: true }), shown: 'never' },
    current_path: managed(text({ required: true, max: 1000 })),
    sort_order: managed(integer({ initial: 0 })),
    ...publishing,
    ...publishedByActions,
  },
  events: {
    LessonAdded: { creates: true, except: ['published_at', 'appears_at', 'publish_action_ids'] },
    LessonChanged: { changes: 'rest' },
    LessonPublished: publishedWith,
    LessonAppeared: appeared,
    LessonRemoved: { ends: true },
    SectionRemoved: { ends: true, of: ({ lesson_ids }: WithLessons) => lesson_ids },
  },
  timers: appearing,
})

type Begun = { readonly root_section_id: number; readonly current_path: string }

/** Section of a course. Clients know it as a module. */
export const section = model('courses/section', {
  stream: 'course',
  owner: 'course_id',
  attributes: {
    title: text({ required: true, trim: true }),
    description: longText({ nullable: true }),
    days_till_drip_access: integer({
      nullable: true,
      min: 1,
      max: 3650,
      about: 'Days of 24 hours since the enrolment',
    }),
    blocker_section_id: reference('courses/section', { nullable: true, about: 'To be completed before it opens' }),
    blocker_lesson_id: reference('courses/lesson', { nullable: true, about: 'To be completed before it opens' }),
    is_hidden_from_non_members: flag({ nullable: true, initial: true }),
    upgrade_url: webAddress('Where those are led who have no access'),
    /** `null`: it is the section that the course began with. */
    parent_id: managed(reference('courses/section', { nullable: true, shown: idAsText })),
    current_path: managed(text({ required: true, max: 1000 })),
    sort_order: managed(integer({ initial: 0 })),
    ...publishing,
    ...publishedByActions,
    /** When somebody put its publication off by hand; `null`: it was published since, or never put off. */
    put_off_at: managed(moment({ nullable: true }), { shown: 'never' }),
  },
  events: {
    CourseCreated: {
      of: ({ root_section_id }: Begun) => [root_section_id],
      evolve: (_, { current_path }: Begun) => ({ title: ROOT_TITLE, current_path, is_hidden_from_non_members: true }),
    },
    SectionAdded: { creates: true, except: ['published_at', 'appears_at', 'publish_action_ids', 'put_off_at'] },
    SectionChanged: { changes: 'rest' },
    SectionPublished: sectionPublished,
    SectionAppeared: appeared,
    SectionRemoved: { ends: true },
  },
  timers: appearing,
})

/** Course with its sections and their lessons. They share one stream, since their order and their publishing are decided together. */
export const course = model('course', {
  attributes: {
    title: text({ required: true, trim: true }),
    description: longText({ nullable: true, initial: '' }),
    show_in_community: flag({ nullable: true, initial: false, about: 'Shown in the customer center' }),
    show_to_non_members: flag({
      nullable: true,
      initial: false,
      about: 'Whether others see what it holds, without its lessons',
    }),
    redirect_to_full_course: flag({ nullable: true, initial: true }),
    upgrade_url: webAddress('Where those are led who have no access'),
    unauthorized_redirect_url: webAddress('Where visitors are led who are no members'),
    image_id: { ...reference('image', { nullable: true }), shown: 'never' },
    root_section_id: managed(reference('courses/section', { required: true, shown: idAsText, onTargetEnd: 'keep' })),
    current_path: managed(text({ required: true, max: 500 }), { shown: { schema: nullableString } }),
    ...publishing,
  },
  events: {
    CourseCreated: { creates: true, except: ['published_at', 'appears_at'] },
    CourseChanged: { changes: 'rest' },
    CoursePublished: publishedBy,
    CourseAppeared: appeared,
    CourseRemoved: { ends: true },
  },
  timers: appearing,
  children: {
    sections: { model: section, key: 'section_id', keys: 'section_ids' },
    lessons: { model: lesson, key: 'lesson_id', keys: 'lesson_ids' },
  },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
})
