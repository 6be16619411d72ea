import { answer } from '../sqlite/thread.ts'
import { renderMarkdown } from './render.ts'

answer<null, string>(() => ({ answer: renderMarkdown, close() {} }))
