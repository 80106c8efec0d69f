/**
 * @openapi
 * /hello:
 *   get:
 *     responses:
 *       200:
 *         description: A greeting
 */
