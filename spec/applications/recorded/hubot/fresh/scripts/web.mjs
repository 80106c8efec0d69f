export default async (robot) => {
  robot.router.get('/rooms/:room', (req, res) => res.json({ room: req.params.room, query: req.query }));
  robot.router.post('/rooms/:room', (req, res) => res.status(201).send(req.body.payload ?? 'nothing'));
  robot.router.get('/fail', () => {
    throw new Error('no room');
  });
};
