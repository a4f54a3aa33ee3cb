/** Under this key of the query cache lies the signed-in user, or null once there is none. */
export const sessionKey = ["session"] as const;
