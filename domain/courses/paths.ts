/** Returns the path of a course on the members' side. */
export const coursePath = (courseId: number): string => `/members/courses/${courseId}`

/** Returns the path of a lesson on the members' side. */
export const lessonPath = (lessonId: number): string => `/members/lessons/${lessonId}`
