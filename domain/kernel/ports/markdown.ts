/** Renders Markdown (CommonMark) as HTML, which is not safe yet. */
export type MarkdownToHtml = (markdown: string) => Promise<string>
