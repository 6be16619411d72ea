import type { NoticeKind, OwedText } from './kinds.ts'

const HELLO = '{% if contact.first_name %}{{ contact.first_name }} 様{% else %}お客様{% endif %}'

/** What is new in courses and communities, in Japanese. */
export const NOTICES_JA: Readonly<Record<NoticeKind, OwedText>> = {
  section_published: {
    subject: '{{ course.title }} に新しい内容が加わりました',
    preheadline: '講座の続きをご覧いただけます。',
    heading: '{{ course.title }} の新しい内容',
    paragraphs: [HELLO, 'ご受講中の講座に、新しい内容が加わりました。'],
    button: '講座を開く',
  },
  community_joined: {
    subject: '{{ community.name }} へようこそ',
    preheadline: 'メンバーになりました。',
    heading: '{{ community.name }} へようこそ',
    paragraphs: [HELLO, '{{ community.name }} のメンバーになりました。'],
    button: 'コミュニティを開く',
  },
  community_mention: {
    subject: '{{ community.name }} で {{ author }} さんがあなたに触れました',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} さんがあなたに触れました',
    paragraphs: [HELLO, '「{{ post.title }}」で {{ author }} さんがあなたに触れました。'],
    button: '読む',
  },
  community_reply: {
    subject: '{{ community.name }} で {{ author }} さんから返信がありました',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} さんからの返信',
    paragraphs: [HELLO, '「{{ post.title }}」で {{ author }} さんから返信がありました。'],
    button: '読む',
  },
  community_post: {
    subject: '{{ community.name }}：{{ post.title }}',
    preheadline: '{{ author }} さん、{{ post.space }}',
    heading: '{{ post.title }}',
    paragraphs: [HELLO, '{{ post.space }} に {{ author }} さんが投稿しました。'],
    button: '投稿を読む',
  },
  community_digest: {
    subject: '{{ community.name }} の新着',
    preheadline: '{% for post in posts limit: 1 %}{{ post.title }}{% endfor %}',
    heading: '{{ community.name }} の新着',
    paragraphs: [HELLO, 'まだお読みでない投稿です{% if more %}（ほか {{ more }} 件）{% endif %}。'],
    button: 'コミュニティを開く',
  },
}
