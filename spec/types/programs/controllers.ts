// Controllers as classes, with bound methods, arrow functions, a base class and dependencies.
import { type Application, type Request, type RequestHandler, type Response, Router } from 'express';
import type { ParamsDictionary } from 'express-serve-static-core';

interface Book {
  id: string;
  title: string;
}
interface Store<T> {
  all(): Promise<T[]>;
  byId(id: string): Promise<T | null>;
  save(value: Omit<T, 'id'>): Promise<T>;
}
interface Paging {
  page?: string;
  limit?: string;
}
type TypedRequest<B = unknown, Q = Paging, P = ParamsDictionary> = Request<P, unknown, B, Q>;

abstract class Controller {
  readonly router: Router = Router();
  abstract readonly path: string;
  protected ok<T>(res: Response, value?: T): Response {
    return value === undefined ? res.sendStatus(200) : res.status(200).json(value);
  }
}

export class Books extends Controller {
  readonly path = '/books';
  private readonly store: Store<Book>;

  constructor(store: Store<Book>) {
    super();
    this.store = store;
    this.router.get('/', this.list);
    this.router.get('/:id', this.show.bind(this));
    this.router.route('/').post(this.create).all(this.refuse);
    this.router.delete('/:id', (req, res) => this.remove(req, res));
  }

  private list = async (req: TypedRequest, res: Response<Book[]>): Promise<void> => {
    const books = await this.store.all();
    const limit = Number(req.query.limit ?? 10);
    res.set({ 'X-Total': String(books.length) }).json(books.slice(0, limit));
  };

  async show(req: Request<{ id: string }>, res: Response<Book | { error: string }>) {
    const book = await this.store.byId(req.params.id);
    return book ? res.json(book) : res.status(404).json({ error: 'no such book' });
  }

  private create: RequestHandler<ParamsDictionary, Book, Omit<Book, 'id'>> = async (req, res) => {
    res.status(201).json(await this.store.save(req.body));
  };

  private refuse: RequestHandler = (_req, res) => {
    res.set('Allow', 'GET, POST').sendStatus(405);
  };

  async remove(req: Request<{ id: string }>, res: Response): Promise<void> {
    await this.store.byId(req.params.id);
    res.status(204).end();
  }
}

export class Health {
  static show(_req: Request, res: Response): void {
    res.send({ uptime: process.uptime() });
  }
}

interface Container {
  resolve<T>(token: abstract new (...args: any[]) => T): T;
}

export function mount(
  app: Application,
  container: Container,
  kinds: (new (store: Store<Book>) => Controller)[],
): Application {
  for (const kind of kinds) {
    const controller = container.resolve(kind);
    app.use(controller.path, controller.router);
  }
  app.get('/health', Health.show);
  return app;
}

const actions = ['index', 'edit'] as const;
export type Resource = Partial<Record<(typeof actions)[number], RequestHandler | RequestHandler[]>>;
export function resource(router: Router, path: string, handlers: Resource): Router {
  for (const action of actions) {
    const handler = handlers[action];
    if (handler) router.get(`${path}/${action}`, handler);
  }
  return router;
}
