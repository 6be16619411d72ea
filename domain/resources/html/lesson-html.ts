import type { MarkdownToHtml } from '../../kernel/ports/markdown.ts'
import { type HtmlHooks, safeHtml } from './safe-html.ts'

/** Returns the HTML of Markdown, of which what is allowed stays. Nothing may change it afterwards. */
export const lessonHtml = async (markdown: string, toHtml: MarkdownToHtml, hooks: HtmlHooks = {}): Promise<string> =>
  safeHtml(await toHtml(markdown), hooks)
