// Projects to look at: one with tasks of every status, subtasks, somebody else's work; one that is planned, one that is done.

const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

export async function fillProjects(owner) {
  const me = owner.profile.id
  const make = (fields) => owner.makeRow('projects', { lead_id: me, ...fields })
  const move = await make({ name: 'Move to the new office', due_on: day(45), description: 'Everyone works from the new rooms by the end of next month, without a day of standstill.' })
  await make({ name: 'Website with a very long working title that nobody has shortened yet, in four languages', status: 'planned', due_on: day(120) })
  const done = await make({ name: 'Spring fair', status: 'completed', due_on: day(-60) })
  const task = (title, more = {}) => owner.makeRow('project_tasks', { title, project_id: move.id, ...more })
  const network = await task('Get the network going', { status: 'in_progress', assignee_id: me, due_on: day(4), priority: 'high' })
  await task('Order the line', { parent_id: network.id, status: 'done', assignee_id: me })
  await task('Have sockets laid in all rooms', { parent_id: network.id, status: 'blocked', blocked_reason: 'The landlord’s approval', due_on: day(-2), priority: 'urgent' })
  await task('Set up the printers', { parent_id: network.id })
  await task('Find a mover', { status: 'done', assignee_id: me, due_on: day(-9) })
  await task('Pack the archive', { due_on: day(-1), assignee_id: me })
  await task('Choose desks and chairs for those who asked for other ones, and ask again those who did not answer', { priority: 'low' })
  await task('Tell customers the new address', { due_on: day(20) })
  await owner.makeRow('project_tasks', { title: 'Pay the stand', project_id: done.id, status: 'done' })
  return { move, network }
}
