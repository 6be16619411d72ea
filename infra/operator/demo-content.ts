import type { ApiRecord, ShopClient } from './demo-client.ts'

const GRIND = `Grind just before you brew: coffee loses half of its scent within a quarter of an hour.

- coarse, like sea salt, for a French press
- medium, like sand, for a cone
- fine, like sugar, for a moka pot`

const POUR = `Take **60 grams of coffee for a litre of water**.

1. Wet the coffee, and wait half a minute.
2. Pour the rest in circles, within three minutes.
3. Drink it from something that keeps warm.`

const WELCOME = `<p>Everybody who has the mug is in here. <strong>Tell us what you brewed today</strong>, and with what.</p>
<ul><li>Pictures are welcome.</li><li>So are questions.</li></ul>`

const STORY = `<section><row><column>
<paragraph>An enamel mug is a steel mug that was dipped in glass, and fired at 800 degrees.</paragraph>
<paragraph>It does not mind a campfire. What it minds is a stone floor.</paragraph>
</column></row></section>`

/** Makes a course of two lessons, of which the second opens a day later, and publishes it. */
const teach = async ({ ask, make, workspace }: ShopClient): Promise<ApiRecord> => {
  const course = await make(`${workspace}/courses`, 'course', {
    ...{ title: 'Brewing well', description: 'Two short lessons for who has the mug' },
  })
  const lesson = async (section: ApiRecord, title: string, lesson_content: string) =>
    make(`/courses/sections/${section.id}/lessons`, 'courses_lesson', { title, lesson_content })
  const sections = `/courses/${course.id}/sections`
  const first = await make(sections, 'courses_section', { title: 'Today' })
  const second = await make(sections, 'courses_section', { title: 'Tomorrow', days_till_drip_access: 1 })
  await lesson(first, 'Grinding', GRIND)
  await lesson(second, 'Pouring', POUR)
  await ask('POST', `/courses/${course.id}/publish`, { publish_sections_and_lessons: true })
  return course
}

/** Makes a community with a space that one gets into by buying, and a post in it. */
const gather = async ({ make, workspace }: ShopClient): Promise<ApiRecord> => {
  const community = await make(`${workspace}/communities`, 'community', { name: 'The mug club' })
  const group = await make(`/communities/${community.id}/space_groups`, 'communities_space_group', {
    name: 'The table',
  })
  const space = await make(`/communities/space_groups/${group.id}/spaces`, 'communities_space', { name: 'Today’s cup' })
  await make(`/communities/spaces/${space.id}/posts`, 'communities_spaces_post', {
    ...{ title: 'Welcome to the table', body: WELCOME },
  })
  return group
}

/** Publishes a post in the blog of the workspace. */
const write = async ({ ask, make, workspace }: ShopClient): Promise<void> => {
  const [blog] = await ask<readonly ApiRecord[]>('GET', `${workspace}/blogs`)
  await make(`/blogs/${blog?.id}/posts`, 'blogs_post', {
    ...{ title: 'Why enamel', visibility: 'public', markup: STORY },
    excerpt_content: 'Steel that was dipped in glass: what an enamel mug can do, and what it cannot.',
  })
}

/**
 * Makes a course and a community for those who buy a variant, and a blog post for everybody.
 *
 * @throws {Error} when something is refused
 */
export const furnishContent = async (client: ShopClient, variant: ApiRecord): Promise<void> => {
  const [course, group] = await Promise.all([teach(client), gather(client), write(client)])
  await client.ask('PUT', `/products/variants/${variant.id}`, {
    products_variant: {
      included_courses_attributes: [{ course_id: course.id }],
      included_space_groups_attributes: [{ communities_space_group_id: group.id }],
    },
  })
}
