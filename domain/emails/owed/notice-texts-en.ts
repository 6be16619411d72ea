import type { NoticeKind, OwedText } from './kinds.ts'

const HELLO = 'Hello{% if contact.first_name %} {{ contact.first_name }}{% endif %},'

/** What is new in courses and communities, in English. */
export const NOTICES_EN: Readonly<Record<NoticeKind, OwedText>> = {
  section_published: {
    subject: 'New in {{ course.title }}',
    preheadline: 'There is more for you in your course.',
    heading: 'New in {{ course.title }}',
    paragraphs: [HELLO, 'there is something new for you in your course:'],
    button: 'Go to the course',
  },
  community_joined: {
    subject: 'Welcome to {{ community.name }}',
    preheadline: 'You are a member now.',
    heading: 'Welcome to {{ community.name }}',
    paragraphs: [HELLO, 'you are a member of {{ community.name }} now.'],
    button: 'Go to the community',
  },
  community_mention: {
    subject: '{{ author }} mentioned you in {{ community.name }}',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} mentioned you',
    paragraphs: [HELLO, '{{ author }} mentioned you in “{{ post.title }}”:'],
    button: 'Read it',
  },
  community_reply: {
    subject: '{{ author }} replied to you in {{ community.name }}',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} replied to you',
    paragraphs: [HELLO, '{{ author }} replied to you in “{{ post.title }}”:'],
    button: 'Read it',
  },
  community_post: {
    subject: '{{ community.name }}: {{ post.title }}',
    preheadline: 'By {{ author }}, in {{ post.space }}',
    heading: '{{ post.title }}',
    paragraphs: [HELLO, '{{ author }} posted in {{ post.space }}:'],
    button: 'Read the post',
  },
  community_digest: {
    subject: 'New in {{ community.name }}',
    preheadline: '{% for post in posts limit: 1 %}{{ post.title }}{% endfor %}',
    heading: 'New in {{ community.name }}',
    paragraphs: [HELLO, 'this is what you have not read yet{% if more %}, and {{ more }} more{% endif %}:'],
    button: 'Go to the community',
  },
}
