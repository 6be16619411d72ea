import MarkdownIt from 'markdown-it'

/** CommonMark with tables and struck-out text. HTML in it stays as it is, since the whole is made safe afterwards. */
const parser = new MarkdownIt({ html: true })

/** Renders Markdown at once. It takes time in proportion to the length, but a lot of it. */
export const renderMarkdown = (markdown: string): string => parser.render(markdown)
