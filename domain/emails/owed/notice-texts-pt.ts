import type { NoticeKind, OwedText } from './kinds.ts'

const HELLO = 'Olá{% if contact.first_name %}, {{ contact.first_name }}{% endif %},'

/** What is new in courses and communities, in Portuguese. */
export const NOTICES_PT: Readonly<Record<NoticeKind, OwedText>> = {
  section_published: {
    subject: 'Novidades em {{ course.title }}',
    preheadline: 'Há mais para você no seu curso.',
    heading: 'Novidades em {{ course.title }}',
    paragraphs: [HELLO, 'há algo novo para você no seu curso:'],
    button: 'Ir para o curso',
  },
  community_joined: {
    subject: 'Boas-vindas a {{ community.name }}',
    preheadline: 'Agora você é membro.',
    heading: 'Boas-vindas a {{ community.name }}',
    paragraphs: [HELLO, 'agora você é membro de {{ community.name }}.'],
    button: 'Ir para a comunidade',
  },
  community_mention: {
    subject: '{{ author }} mencionou você em {{ community.name }}',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} mencionou você',
    paragraphs: [HELLO, '{{ author }} mencionou você em “{{ post.title }}”:'],
    button: 'Ler',
  },
  community_reply: {
    subject: '{{ author }} respondeu a você em {{ community.name }}',
    preheadline: '{{ post.title }}',
    heading: '{{ author }} respondeu a você',
    paragraphs: [HELLO, '{{ author }} respondeu a você em “{{ post.title }}”:'],
    button: 'Ler',
  },
  community_post: {
    subject: '{{ community.name }}: {{ post.title }}',
    preheadline: 'Por {{ author }}, em {{ post.space }}',
    heading: '{{ post.title }}',
    paragraphs: [HELLO, '{{ author }} publicou em {{ post.space }}:'],
    button: 'Ler a publicação',
  },
  community_digest: {
    subject: 'Novidades em {{ community.name }}',
    preheadline: '{% for post in posts limit: 1 %}{{ post.title }}{% endfor %}',
    heading: 'Novidades em {{ community.name }}',
    paragraphs: [HELLO, 'isto você ainda não leu{% if more %}, e mais {{ more }}{% endif %}:'],
    button: 'Ir para a comunidade',
  },
}
