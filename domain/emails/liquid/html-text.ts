const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const named = (character: string): string => NAMES[character] ?? character

/** Writes a text so that HTML shows it as it is. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, named)

/** Escapes what is not yet an entity. */
export const escapeOnce = (text: string): string => text.replace(/[<>"']|&(?!(?:[a-zA-Z]+|#\d+);)/g, named)
