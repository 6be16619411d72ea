import { flag } from '../../kernel/model/fields.ts'
import { settingEvents } from '../../kernel/model/model.ts'
import { pathFrom } from '../../resources/attributes/made-path.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { onPublished, publishTime } from '../../resources/publishing.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { blockerWarning } from '../shown-contents.ts'
import { course, lesson, section } from './model.ts'
import { courses } from './rules.ts'
import { pictured, withoutSharing } from './view.ts'

const COURSES = '/workspaces/{workspace_id}/courses'
const SECTIONS = '/courses/{course_id}/sections'
const LESSONS = '/courses/sections/{section_id}/lessons'

const ordered = { sorts: ['id', 'updated_at', 'sort_order'] } as const
const published_at = publishTime()
const publishBody = { root: null, fields: { published_at }, mode: 'change' } as const

/** Course. */
export const courseResource = serve(course, courses, {
  title: 'Course',
  root: 'course',
  category: 'courses',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'current_path'] }],
  reads: ['image'],
  view: {
    image_url: pictured,
    ...withoutSharing,
  },
  operations: {
    listCourses: list(COURSES),
    createCourses: creates(COURSES, {
      makes: { current_path: pathFrom('course', 'course', 'title') },
      ids: () => 1,
      idsOf: section,
    }),
    getCourses: show('/courses/{id}'),
    updateCourses: changes('/courses/{id}'),
    publishCourse: asks('/courses/{id}/publish', 'publish', {
      consequence: 'shows something to everybody, who may be told of it by mail',
      summary: 'Publishes a course now, or at a time',
      body: {
        root: null,
        fields: {
          published_at,
          publish_sections_and_lessons: flag({ nullable: true, about: 'true: with all that it holds' }),
        },
        mode: 'change',
      },
    }),
    removeCourses: removes('/courses/{id}', { beyondContract: true }),
  },
  publishes: {
    '$course.created': { on: ['CourseCreated'], about: 'A course was created.', alias: true },
    '$course.updated': {
      on: settingEvents(course),
      unlessWith: ['CourseCreated'],
      about: 'A field of a course changed.',
      alias: true,
    },
    '$course.published': {
      ...onPublished('CoursePublished', 'CourseAppeared'),
      about: 'A course was opened to its students.',
      alias: true,
    },
    '$course.deleted': { on: ['CourseRemoved'], about: 'A course was deleted.', alias: true },
  },
})

/** Courses::Section. */
export const sectionResource = serve(section, courses, {
  title: 'Courses::Section',
  root: 'courses_section',
  category: 'courses',
  under: { param: 'course_id', resource: 'course', field: 'course_id' },
  indexes: [{ fields: ['publish_action_ids'] }],
  view: { blocker_warning: blockerWarning },
  operations: {
    listCoursesSections: list(SECTIONS, ordered),
    createCoursesSections: creates(SECTIONS),
    getCoursesSections: show('/courses/sections/{id}'),
    updateCoursesSections: changes('/courses/sections/{id}'),
    publishCoursesSections: asks('/courses/sections/{id}/publish', 'publish', {
      consequence: 'shows something to everybody, who may be told of it by mail',
      summary: 'Publishes a section with its lessons now, or at a time',
      body: publishBody,
    }),
    removeCoursesSections: removes('/courses/sections/{id}', { beyondContract: true }),
  },
  publishes: {
    '$courses.section_created': {
      on: ['CourseCreated', 'SectionAdded'],
      about: 'A section was added to a course.',
      alias: 'courses/section.created',
    },
    '$courses.section_updated': {
      on: ['SectionChanged'],
      about: 'A section of a course was changed.',
      alias: 'courses/section.updated',
    },
    '$courses.section_published': {
      ...onPublished('SectionPublished', 'SectionAppeared'),
      about: 'A section was opened to the students of its course.',
      alias: 'courses/section.published',
    },
    '$courses.section_deleted': {
      on: ['SectionRemoved'],
      about: 'A section of a course was deleted.',
      alias: 'courses/section.deleted',
    },
  },
})

/** Courses::Lesson. */
export const lessonResource = serve(lesson, courses, {
  title: 'Courses::Lesson',
  root: 'courses_lesson',
  category: 'courses',
  under: { param: 'section_id', resource: 'courses/section', field: 'section_id' },
  indexes: [{ fields: ['course_id'] }, { fields: ['publish_action_ids'] }],
  reads: ['image'],
  view: { image_url: pictured },
  operations: {
    listCoursesLessons: list(LESSONS, ordered),
    createCoursesLessons: creates(LESSONS),
    getCoursesLessons: show('/courses/lessons/{id}'),
    updateCoursesLessons: changes('/courses/lessons/{id}'),
    publishCoursesLessons: asks('/courses/lessons/{id}/publish', 'publish', {
      consequence: 'shows something to everybody, who may be told of it by mail',
      summary: 'Publishes a lesson now, or at a time',
      body: publishBody,
    }),
    removeCoursesLessons: removes('/courses/lessons/{id}', { beyondContract: true }),
  },
  publishes: {
    '$courses.lesson_created': { on: ['LessonAdded'], about: 'A lesson was added.', alias: 'courses/lesson.created' },
    '$courses.lesson_updated': {
      on: ['LessonChanged'],
      about: 'A lesson was changed.',
      alias: 'courses/lesson.updated',
    },
    '$courses.lesson_published': {
      ...onPublished('LessonPublished', 'LessonAppeared'),
      about: 'A lesson was opened to the students of its course.',
      alias: 'courses/lesson.published',
    },
    '$courses.lesson_deleted': {
      on: ['LessonRemoved', 'SectionRemoved'],
      about: 'A lesson was deleted.',
      alias: 'courses/lesson.deleted',
    },
  },
})
