import { Type } from 'typebox'
import type { Loader } from '../../resources/view-types.ts'
import type { CourseGrant, GroupGrant } from './includes.ts'

const ids = Type.Array(Type.Integer())

const idsWhere = async (collection: string, field: string, id: number, load: Loader) =>
  (await load.where(collection, field, id)).filter(({ parent_id }) => parent_id !== null).map((one) => Number(one.id))

/** Courses that a variant itself includes. One of which all is included lists every module that it has now. None lists a module that is gone. */
export const shownCourses = {
  schema: Type.Array(
    Type.Object({
      id: Type.Integer(),
      course_id: Type.Integer(),
      full_access: Type.Boolean(),
      included_section_ids: ids,
    }),
  ),
  of: ({ included_courses }: { readonly included_courses: readonly CourseGrant[] }, load: Loader) =>
    Promise.all(
      included_courses.map(async ({ id, course_id, section_ids }) => {
        const all = await idsWhere('courses/section', 'course_id', course_id, load)
        const included_section_ids = section_ids === null ? all : section_ids.filter((one) => all.includes(one))
        return { id, course_id, full_access: section_ids === null, included_section_ids }
      }),
    ),
}

/** Groups of spaces that a variant itself opens. */
export const shownGroups = {
  schema: Type.Array(
    Type.Object({
      id: Type.Integer(),
      communities_space_group_id: Type.Integer(),
      spaces_mode: Type.Literal('all'),
      included_space_ids: ids,
    }),
  ),
  of: ({ included_space_groups }: { readonly included_space_groups: readonly GroupGrant[] }, load: Loader) =>
    Promise.all(
      included_space_groups.map(async ({ id, communities_space_group_id }) => ({
        ...{ id, communities_space_group_id, spaces_mode: 'all' as const },
        included_space_ids: await idsWhere('communities/space', 'space_group_id', communities_space_group_id, load),
      })),
    ),
}
