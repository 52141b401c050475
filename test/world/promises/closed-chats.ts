// Where Telegram asks for a pause, nothing is said before it is over: it closes such a chat for longer.
import type { World } from '../run/world.ts';

export const nothingIsSaidInAClosedChat = ({ telegram }: World): string[] => telegram.closedChats.takeEarly();
