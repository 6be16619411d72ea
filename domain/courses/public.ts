export { Access, type Closed, type Contents, type Enrolled, grantedSections } from './access.ts'
export { contentsOf } from './contents.ts'
export { enrolling, unenrolling } from './enrolling.ts'
export { enrollments } from './enrollment/rules.ts'
