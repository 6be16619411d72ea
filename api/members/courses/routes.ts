import { lessonPath } from '../../../domain/courses/public.ts'
import { forMembers, forReaders, type Route, type SignedInRequest } from '../request.ts'
import { showCourse, showCourses } from './course-page.ts'
import { complete, showLesson, undo } from './lesson-page.ts'

/** Whoever comes to where a form is sent, as after signing in, is led to its page. */
const backToLesson = (_: SignedInRequest, [id = 0]: readonly number[]) => ({ to: lessonPath(id) })

/** Pages of courses and their lessons. */
export const courseRoutes: readonly Route[] = [
  forMembers(/^\/members\/courses$/, { show: showCourses }),
  forReaders(/^\/members\/courses\/(\d{1,15})$/, { show: showCourse }),
  forReaders(/^\/members\/lessons\/(\d{1,15})$/, { show: showLesson }),
  forMembers(/^\/members\/lessons\/(\d{1,15})\/complete$/, { show: backToLesson, take: complete }),
  forMembers(/^\/members\/lessons\/(\d{1,15})\/undo$/, { show: backToLesson, take: undo }),
]
