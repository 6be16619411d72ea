import type { Family } from '../resources/family.ts'
import { authorResource, categoryResource, tagResource } from './parts.ts'
import { postResource } from './post/index.ts'

/** Posts of blogs, with their authors, categories and tags. The blogs themselves belong to their sites. */
export const blogs: Family = { resources: [authorResource, categoryResource, tagResource, postResource] }
