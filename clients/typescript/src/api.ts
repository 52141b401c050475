// Made of openapi.json by generate.ts: not to be changed by hand.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SettledReceipt: {
            /** @enum {string} */
            type: "ActivationReceipt";
            /**
             * @description Identifier of the receipt, as in GET /history/{id}
             * @example 4711
             */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description The full receipt was not found in the order list of the account; rare
             * @example false
             */
            warning: boolean;
            /**
             * @description Milliseconds the redemption took
             * @example 1840
             */
            took: number;
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description The platform's internal id of the player
             * @example 29083411
             */
            openid: string;
            /**
             * @description The player's name
             * @example Player
             */
            name: string;
            /**
             * @description Two-letter country of the player
             * @example DE
             */
            region?: string;
            /**
             * @description As the platform's order list shows it
             * @example 60 UC
             */
            productName?: string;
            /**
             * @description Amount of in-game currency; absent when it cannot be determined definitively
             * @example 60
             */
            amount?: number;
            /**
             * @description The platform's id of the account used
             * @example 771
             */
            uid?: string;
            /**
             * Format: date-time
             * @description Since when this is final
             * @example 2026-01-13T08:27:18.520Z
             */
            settledAt: string;
            /**
             * @description The Idempotency-Key of its request; absent for a redemption of the chat
             * @example order-8f2c41
             */
            idempotencyKey?: string;
            /**
             * @description The order that it is a code of
             * @example ord_7Jq2mVbX0sTz1uR4wKcA9e
             */
            orderId?: string;
            /**
             * @description Of that order
             * @example INV-1001
             */
            reference?: string;
        };
        SettledError: {
            /** @enum {string} */
            type: "ActivationError";
            /**
             * @description Identifier of the receipt, as in GET /history/{id}
             * @example 4711
             */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description Why the redemption failed
             * @example NO_CODES_AVAILABLE
             * @enum {string}
             */
            errorCode: "NO_CODES_AVAILABLE" | "CHARACTER_NOT_FOUND" | "INVALID_CODE" | "CODE_USED" | "NO_ACCOUNTS_AVAILABLE" | "LOGIN_FAILED" | "RISK_CONTROL" | "NETWORK_ERROR" | "INVALID_ACTIVATION_RESPONSE" | "UNKNOWN";
            /**
             * @description Technical; not for an untrusted user
             * @example the platform did not answer in time
             */
            errorMessage?: string;
            /**
             * @description The code went back into the database; always false in direct mode
             * @example true
             */
            codeReset: boolean;
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten
             * @example 5124780131
             */
            playerId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            settledAt: string;
            /**
             * @description The Idempotency-Key of its request; absent for a redemption of the chat
             * @example order-8f2c41
             */
            idempotencyKey?: string;
            /**
             * @description The order that it is a code of
             * @example ord_7Jq2mVbX0sTz1uR4wKcA9e
             */
            orderId?: string;
            /**
             * @description Of that order
             * @example INV-1001
             */
            reference?: string;
        };
        /**
         * @description Several codes for one player. No code and no credentials: each receipt by GET /history/{id}
         * @example {
         *       "type": "Order",
         *       "id": "ord_7Jq2mVbX0sTz1uR4wKcA9e",
         *       "state": "waiting",
         *       "waitsFor": "doubt",
         *       "gameId": "game_id_1",
         *       "playerId": "5124780131",
         *       "playerName": "Player",
         *       "reference": "INV-1001",
         *       "createdAt": "2026-01-13T08:27:18.520Z",
         *       "run": 1,
         *       "wanted": {
         *         "codes": 3,
         *         "amount": 445
         *       },
         *       "redeemed": {
         *         "codes": 1,
         *         "amount": 325
         *       },
         *       "open": 1,
         *       "failed": 0,
         *       "items": [
         *         {
         *           "n": 1,
         *           "denomination": 325,
         *           "state": "redeemed",
         *           "redemptionId": 4711,
         *           "amount": 325
         *         },
         *         {
         *           "n": 2,
         *           "denomination": 60,
         *           "state": "inDoubt",
         *           "redemptionId": 4712
         *         },
         *         {
         *           "n": 3,
         *           "denomination": 60,
         *           "state": "waiting"
         *         }
         *       ]
         *     }
         */
        ToldOrder: components["schemas"]["Order"] & {
            /**
             * @description The Idempotency-Key that placed it
             * @example order-8f2c41
             */
            idempotencyKey?: string;
        };
        OrderItem: {
            /**
             * @description Its place in the order, from 1 on
             * @example 1
             */
            n: number;
            /**
             * @description Absent of a code of your own
             * @example 325
             */
            denomination?: number;
            /**
             * @description `missing`: the order ended without it
             * @example redeemed
             * @enum {string}
             */
            state: "waiting" | "running" | "inDoubt" | "redeemed" | "failed" | "missing";
            /**
             * @description Its receipt is GET /history/{id}; of several tries, the newest
             * @example 4711
             */
            redemptionId?: number;
            /**
             * @description Redeemed
             * @example 325
             */
            amount?: number;
        };
        /**
         * @description Several codes for one player. No code and no credentials: each receipt by GET /history/{id}
         * @example {
         *       "type": "Order",
         *       "id": "ord_7Jq2mVbX0sTz1uR4wKcA9e",
         *       "state": "waiting",
         *       "waitsFor": "doubt",
         *       "gameId": "game_id_1",
         *       "playerId": "5124780131",
         *       "playerName": "Player",
         *       "reference": "INV-1001",
         *       "createdAt": "2026-01-13T08:27:18.520Z",
         *       "run": 1,
         *       "wanted": {
         *         "codes": 3,
         *         "amount": 445
         *       },
         *       "redeemed": {
         *         "codes": 1,
         *         "amount": 325
         *       },
         *       "open": 1,
         *       "failed": 0,
         *       "items": [
         *         {
         *           "n": 1,
         *           "denomination": 325,
         *           "state": "redeemed",
         *           "redemptionId": 4711,
         *           "amount": 325
         *         },
         *         {
         *           "n": 2,
         *           "denomination": 60,
         *           "state": "inDoubt",
         *           "redemptionId": 4712
         *         },
         *         {
         *           "n": 3,
         *           "denomination": 60,
         *           "state": "waiting"
         *         }
         *       ]
         *     }
         */
        Order: {
            /** @enum {string} */
            type: "Order";
            /**
             * @description Identifier of the order
             * @example ord_7Jq2mVbX0sTz1uR4wKcA9e
             */
            id: string;
            /**
             * @description `done`: all is redeemed; `stopped`: something is missing, `reason` says why and `missing` what; these and `cancelled` are final, but for a stopped one that is resumed
             * @example waiting
             * @enum {string}
             */
            state: "running" | "waiting" | "done" | "stopped" | "cancelled";
            /**
             * @description What it waits for, while it waits
             * @example doubt
             * @enum {string}
             */
            waitsFor?: "stock" | "quota" | "subscription" | "platform" | "doubt";
            /**
             * @description Why it stopped
             * @example DOUBT
             * @enum {string}
             */
            reason?: "DOUBT" | "ITEMS_FAILED" | "CODE_USED" | "INVALID_CODE" | "CHARACTER_NOT_FOUND" | "RISK_CONTROL" | "NO_ACCOUNTS_AVAILABLE" | "LOGIN_FAILED" | "NETWORK_ERROR" | "NOT_ENOUGH_STOCK" | "QUOTA_EXCEEDED" | "SUBSCRIPTION_EXPIRED" | "DEADLINE" | "KEY_REVOKED" | "FORBIDDEN" | "RESTORED";
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID, 5 to 20 digits
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description Where the platform told it
             * @example Player
             */
            playerName?: string;
            /**
             * @description As it was sent
             * @example INV-1001
             */
            reference?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description As it was sent
             * @example 2026-01-13T12:00:00.000Z
             */
            deadline?: string;
            /**
             * Format: date-time
             * @description Since when it is done, stopped or cancelled; never there while a redemption of it is open
             * @example 2026-01-13T08:27:18.520Z
             */
            endedAt?: string;
            /**
             * @description 1, and one more for each time it was resumed
             * @example 1
             */
            run: number;
            wanted: {
                /**
                 * @description Codes in all
                 * @example 3
                 */
                codes: number;
                /**
                 * @description Absent where a code of your own is among them
                 * @example 445
                 */
                amount?: number;
            };
            redeemed: {
                /**
                 * @description Codes that are redeemed
                 * @example 1
                 */
                codes: number;
                /**
                 * @description Their sum, as far as it is known
                 * @example 325
                 */
                amount: number;
            };
            /**
             * @description Redemptions under way or in doubt
             * @example 1
             */
            open: number;
            /**
             * @description Codes of your own that failed
             * @example 0
             */
            failed: number;
            /** @description Its codes, in the order in which they are begun */
            items: components["schemas"]["OrderItem"][];
            /** @description Of one that ended without all: by denomination, and codes of your own by their place */
            missing?: ({
                /**
                 * @description Of the codes
                 * @example 60
                 */
                denomination: number;
                /**
                 * @description How many of them
                 * @example 1
                 */
                count: number;
            } | {
                /**
                 * @description The place of a code of your own
                 * @example 2
                 */
                n: number;
            })[];
        };
        /** @description A successful redemption */
        ActivationReceipt: {
            /** @enum {string} */
            type: "ActivationReceipt";
            /**
             * @description Identifier of the receipt, as in GET /history/{id}
             * @example 4711
             */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description The full receipt was not found in the order list of the account; rare
             * @example false
             */
            warning: boolean;
            /**
             * @description Milliseconds the redemption took
             * @example 1840
             */
            took: number;
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description The code
             * @example 60SXW4QK7H2M9TZR
             */
            code: string;
            /**
             * @description The platform's internal id of the player
             * @example 29083411
             */
            openid: string;
            /**
             * @description The player's name
             * @example Player
             */
            name: string;
            /**
             * @description Two-letter country of the player
             * @example DE
             */
            region?: string;
            /**
             * @description As the platform's order list shows it
             * @example 60 UC
             */
            productName?: string;
            /**
             * @description Amount of in-game currency; absent when it cannot be determined definitively
             * @example 60
             */
            amount?: number;
            /**
             * @description The platform's id of the account used
             * @example 771
             */
            uid?: string;
            /**
             * Format: date-time
             * @description Since when this is final
             * @example 2026-01-13T08:27:18.520Z
             */
            settledAt: string;
            /**
             * @description Login of the account used; of some games the internal player account id; absent where it was never told, or erased
             * @example account@mail.example
             */
            email?: string;
            /**
             * @description Password of that account; of some games the session token of the activation; absent as `email` is
             * @example a password
             */
            password?: string;
        };
        /** @description A redemption that failed, or whose outcome is not known yet */
        ActivationError: {
            /** @enum {string} */
            type: "ActivationError";
            /**
             * @description Identifier of the receipt, as in GET /history/{id}
             * @example 4711
             */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description Why the redemption failed
             * @example NO_CODES_AVAILABLE
             * @enum {string}
             */
            errorCode: "NO_CODES_AVAILABLE" | "CHARACTER_NOT_FOUND" | "INVALID_CODE" | "CODE_USED" | "NO_ACCOUNTS_AVAILABLE" | "LOGIN_FAILED" | "RISK_CONTROL" | "NETWORK_ERROR" | "INVALID_ACTIVATION_RESPONSE" | "UNKNOWN";
            /**
             * @description Technical; not for an untrusted user
             * @example the platform did not answer in time
             */
            errorMessage?: string;
            /**
             * @description The code went back into the database; always false in direct mode
             * @example true
             */
            codeReset: boolean;
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description The code; absent when no code was found
             * @example 60SXW4QK7H2M9TZR
             */
            code?: string;
            /**
             * Format: date-time
             * @description Since when this is final; absent while it is in doubt: poll GET /history/{id}, or repeat the Idempotency-Key, until it is there
             * @example 2026-01-13T08:27:18.520Z
             */
            settledAt?: string;
        };
        /** @description Every error that is not a failed redemption */
        Problem: {
            /** @description One sentence a person can act on */
            error: string;
            /** @description Where a program has to tell the cases apart */
            errorCode?: string;
            /** @description Each broken field of a 400 */
            issues?: {
                /**
                 * @description The field, as the request names it
                 * @example playerId
                 */
                path: string;
                /** @description What it must be, in words that follow its name */
                message: string;
            }[];
        };
        /**
         * @description The daily quota and the purchased activations are used up
         * @example {
         *       "error": "Too many requests: the daily quota is used up.",
         *       "limit": 300
         *     }
         */
        QuotaExceeded: {
            /** @description One sentence a person can act on */
            error: string;
            /**
             * @description The daily quota of a subscription, in activations
             * @enum {number}
             */
            limit: 300;
        };
        /**
         * @description Turned away for a while, and nothing was begun or recorded: too many requests of the account that could not be carried out, too many without a valid API key, or more than the service can write down just now
         * @example {
         *       "error": "Too many requests of this account could not be carried out in the last minute. Correct them, and try again in 12 s."
         *     }
         */
        TooManyRequests: {
            /** @description One sentence a person can act on */
            error: string;
        };
        /**
         * @example {
         *       "requireReceipt": true,
         *       "playerId": "5124780131",
         *       "gameId": "game_id_1",
         *       "denomination": 60
         *     }
         */
        RedeemRequest: {
            /**
             * @description Has no effect; leave it as true
             * @example true
             */
            requireReceipt?: boolean | null;
            /**
             * @description The in-game character ID, 5 to 20 digits
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description Identifier of the game
             * @example game_id_1
             * @enum {string}
             */
            gameId: "game_id_1" | "game_id_2" | "game_id_3";
            /**
             * @description Database mode: denomination of the code to take. Exactly one of denomination and codeOverride
             * @example 60
             */
            denomination?: number | string | null;
            /** @description Direct mode: the code to redeem; mandatory for a game without a database */
            codeOverride?: string | null;
        };
        Character: {
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * @description The in-game character ID, 5 to 20 digits
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description The platform's internal id of the player
             * @example 29083411
             */
            openid: string;
            /**
             * @description The player's name
             * @example Player
             */
            name: string;
        };
        RedemptionTime: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            redemptionTime: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            expirationTime: string;
            /**
             * @description The company that distributed the code
             * @example Channel
             */
            channelName: string;
            /**
             * @description The redeemer's openid
             * @example 29083411
             */
            openid: string;
            /**
             * @description Amount of the code
             * @example 60
             */
            amount: number;
            /**
             * @description Name of the product
             * @example 60 UC
             */
            name: string;
            /**
             * @description The redeemer, if known
             * @example 5124780131
             */
            playerId?: string;
            /**
             * @description The redeemer's name, if known
             * @example Player
             */
            playerName?: string;
            /**
             * @description This account's own receipt for the code
             * @example 4711
             */
            receiptId?: number;
            /**
             * @description Whether that receipt is of a successful redemption
             * @example true
             */
            receiptSuccessful?: boolean;
        };
        /**
         * @example {
         *       "error": "There is not enough stock for the whole order: nothing was begun. Missing: 2 of 60.",
         *       "errorCode": "NOT_ENOUGH_STOCK",
         *       "missing": [
         *         {
         *           "denomination": 60,
         *           "count": 2
         *         }
         *       ]
         *     }
         */
        OrderConflict: {
            /** @description One sentence a person can act on */
            error: string;
            /**
             * @description Which of the cases it is
             * @example NOT_ENOUGH_STOCK
             * @enum {string}
             */
            errorCode: "NOT_ENOUGH_STOCK" | "NO_COMPOSITION" | "NOT_STOPPED";
            /** @description Of NOT_ENOUGH_STOCK: what is not there */
            missing?: {
                /**
                 * @description Of the codes
                 * @example 60
                 */
                denomination: number;
                /**
                 * @description How many of them
                 * @example 2
                 */
                count: number;
            }[];
            /**
             * @description Of NO_COMPOSITION: the nearest sum below
             * @example 385
             */
            below?: number;
            /**
             * @description Of NO_COMPOSITION: the nearest sum above
             * @example 445
             */
            above?: number;
        };
        /**
         * @example {
         *       "playerId": "5124780131",
         *       "gameId": "game_id_1",
         *       "amount": 445,
         *       "reference": "INV-1001"
         *     }
         */
        OrderRequest: {
            /**
             * @description Identifier of the game
             * @example game_id_1
             * @enum {string}
             */
            gameId: "game_id_1" | "game_id_2" | "game_id_3";
            /**
             * @description The in-game character ID, 5 to 20 digits
             * @example 5124780131
             */
            playerId: string;
            /** @description Exactly one of items and amount; 50 codes in all */
            items?: components["schemas"]["OrderEntry"][];
            /**
             * @description A sum to be composed exactly, at acceptance, of what is available: of the fewest codes. With `onShortage: wait`, where what is there does not make it, of all denominations of the game
             * @example 445
             */
            amount?: number;
            /**
             * @description `refuse`: 409 (429 for the quota) before anything begins where stock, or quota for all of it, is not there; `wait`: accepted, and waits until `deadline`, else 24 hours
             * @default refuse
             * @enum {string}
             */
            onShortage?: "refuse" | "wait";
            /**
             * @description `replace`: a bad code of the database (used by another player, or invalid) is followed by the next one, 3 times a code and 10 an order; `stop`: it ends the order
             * @default replace
             * @enum {string}
             */
            onBadCode?: "replace" | "stop";
            /**
             * Format: date-time
             * @description Nothing of it begins after that; in the future, 7 days at most
             * @example 2026-01-13T12:00:00.000Z
             */
            deadline?: string;
            /**
             * @description A label to search by, not a key: 1 to 64 visible characters
             * @example INV-1001
             */
            reference?: string;
        };
        /**
         * @example {
         *       "denomination": 60,
         *       "count": 2
         *     }
         */
        OrderEntry: {
            /**
             * @description Denomination of a code; a string of digits is taken as that integer
             * @example 60
             */
            denomination?: number | string;
            /**
             * @description How many of that denomination; 1 if left out
             * @example 2
             */
            count?: number;
            /** @description A code of your own in place of a denomination */
            codeOverride?: string;
        };
        /** @example {} */
        ResumeRequest: {
            /**
             * Format: date-time
             * @description Nothing of it begins after that; in the future, 7 days at most
             * @example 2026-01-13T12:00:00.000Z
             */
            deadline?: string;
        };
        HistoryEntry: {
            /**
             * @description Identifier of the receipt, as in GET /history/{id}
             * @example 4711
             */
            id: number;
            /**
             * @description Failed, or not settled yet
             * @example false
             */
            error: boolean;
            /**
             * @description As in the receipt
             * @example false
             */
            warning: boolean;
            /**
             * @description The code
             * @example 60SXW4QK7H2M9TZR
             */
            code?: string;
            /**
             * @description The one asked for, or else the amount of the receipt; absent where neither is known
             * @example 60
             */
            denomination?: number;
            /**
             * @description The in-game character ID as it was sent; `forgotten-…` once the player asked to be forgotten
             * @example 5124780131
             */
            playerId: string;
            /**
             * @description Identifier of the game
             * @example game_id_1
             */
            gameId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Since when this is final; absent while it is under way or in doubt
             * @example 2026-01-13T08:27:18.520Z
             */
            settledAt?: string;
        };
        /** @description `"0"` stands for an amount that is not known */
        Statistics: {
            /**
             * Format: date
             * @description The day, in UTC
             * @example 2026-01-13
             */
            date: string;
            /**
             * @description Redemptions: from the code database by denomination, direct ones by the amount of the receipt
             * @example {
             *       "0": 0,
             *       "60": 12
             *     }
             */
            activations: {
                [key: string]: number;
            };
            /**
             * @description Failures by denomination
             * @example {
             *       "0": 1,
             *       "60": 0
             *     }
             */
            errors: {
                [key: string]: number;
            };
        };
        /**
         * @description Codes that can be taken, by denomination
         * @example {
         *       "60": 12,
         *       "325": 0
         *     }
         */
        Inventory: {
            [key: string]: number;
        };
        AddedCodes: {
            inventory: components["schemas"]["Inventory"];
            /**
             * @description Codes added, by denomination; every denomination of the game
             * @example {
             *       "60": 1,
             *       "325": 0
             *     }
             */
            accepted: {
                [key: string]: number;
            };
            /** @description This account has the code already, or it was redeemed */
            used: string[];
            /** @description The code belongs to another account */
            disowned: string[];
            /** @description The code breaks the game's pattern */
            invalid: string[];
        };
        AddCodesRequest: {
            /**
             * @description Denomination of a code; a string of digits is taken as that integer
             * @example 60
             */
            denomination: number | string;
            /**
             * @description Codes of this denomination
             * @example [
             *       "60SXW4QK7H2M9TZR"
             *     ]
             */
            codes: string[];
        }[];
        /** @description In the order in which they would be redeemed; they have left the database */
        ExtractedCodes: string[];
        ExtractRequest: {
            /**
             * @description Denomination of a code; a string of digits is taken as that integer
             * @example 60
             */
            denomination: number | string;
            /**
             * @description Codes at most
             * @example 10
             */
            amount: number;
        };
        ExtractionEntry: {
            /**
             * @description For GET /db/extractions/{id}
             * @example 12
             */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description Of the codes
             * @example 60
             */
            denomination: number;
            /**
             * @description Codes taken out
             * @example 10
             */
            count: number;
        };
        Quota: {
            /** @description Of the 24 hours before this moment */
            daily: {
                /**
                 * @description Of a subscription
                 * @example 300
                 */
                limit: number;
                /**
                 * @description Activations, quarters included
                 * @example 0.25
                 */
                used: number;
                /**
                 * @description What is left of it
                 * @example 299.75
                 */
                remaining: number;
            };
            /**
             * @description Used after the daily quota; they do not expire
             * @example 1000
             */
            purchased: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            subscriptionExpiresAt?: string;
        };
        AddedWebhook: {
            /**
             * @description Of the webhook
             * @example 3
             */
            id: number;
            /**
             * @description https, and reachable from the internet
             * @example https://shop.example/hooks/redemptions
             */
            url: string;
            /**
             * @description What it is told of
             * @example [
             *       "redemption.settled",
             *       "stock.low"
             *     ]
             */
            events: ("redemption.settled" | "order.settled" | "order.waiting" | "stock.low" | "quota.used" | "subscription.ending")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description Whether it is told of anything
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when every attempt failed; absent where the last one went through
             * @example 2026-01-13T08:27:18.520Z
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description When it was switched off: nothing went through for three days
             * @example 2026-01-13T08:27:18.520Z
             */
            disabledAt?: string;
            /**
             * @description What deliveries are signed with. Shown this once
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw7dGhF1pJ0E8=
             */
            secret: string;
        };
        AddWebhookRequest: {
            /**
             * @description https, and reachable from the internet
             * @example https://shop.example/hooks/redemptions
             */
            url: string;
            /**
             * @description What it is told of
             * @example [
             *       "redemption.settled",
             *       "stock.low"
             *     ]
             */
            events: ("redemption.settled" | "order.settled" | "order.waiting" | "stock.low" | "quota.used" | "subscription.ending")[];
        };
        Webhook: {
            /**
             * @description Of the webhook
             * @example 3
             */
            id: number;
            /**
             * @description https, and reachable from the internet
             * @example https://shop.example/hooks/redemptions
             */
            url: string;
            /**
             * @description What it is told of
             * @example [
             *       "redemption.settled",
             *       "stock.low"
             *     ]
             */
            events: ("redemption.settled" | "order.settled" | "order.waiting" | "stock.low" | "quota.used" | "subscription.ending")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description Whether it is told of anything
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when every attempt failed; absent where the last one went through
             * @example 2026-01-13T08:27:18.520Z
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description When it was switched off: nothing went through for three days
             * @example 2026-01-13T08:27:18.520Z
             */
            disabledAt?: string;
        };
        WebhookDelivery: {
            /**
             * @description Of the delivery
             * @example 17
             */
            id: number;
            /**
             * @description The `webhook-id` of every attempt; greater than that of anything older
             * @example msg_000000000042
             */
            messageId: string;
            /**
             * @description What is told
             * @example redemption.settled
             * @enum {string}
             */
            type: "redemption.settled" | "order.settled" | "order.waiting" | "stock.low" | "quota.used" | "subscription.ending" | "webhook.test";
            /**
             * Format: date-time
             * @description When the fact came about
             * @example 2026-01-13T08:27:18.520Z
             */
            createdAt: string;
            /**
             * @description `waiting`: tried, or to be tried; `failed`: not tried any more, unless you order it
             * @example waiting
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /**
             * @description How often it was tried
             * @example 2
             */
            attempts: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             * @example 2026-01-13T08:27:18.520Z
             */
            lastAttemptAt?: string;
            /**
             * @description What the address answered last
             * @example 500
             */
            status?: number;
            /**
             * @description Why the last attempt failed
             * @example It answered 500.
             */
            problem?: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        Readiness: {
            /**
             * @description `ready`: requests are served; else the answer is 503
             * @enum {string}
             */
            status: "ready" | "stopping" | "unavailable";
            /**
             * @description `unwritable`: the last write did not go through; one is tried every second. `moved`: the file was moved away or deleted, and nothing begins until it is back
             * @enum {string}
             */
            database: "open" | "unwritable" | "moved" | "unavailable";
            /**
             * @description The service does not start before they are
             * @enum {string}
             */
            migrations: "done";
            /**
             * @description Told, but no reason to be unready: reading and the code database work without it
             * @enum {string}
             */
            platform: "reachable" | "unreachable";
            /**
             * @description `sandbox`: for trying, nothing is redeemed in truth
             * @enum {string}
             */
            platformKind: "sandbox" | "real";
            /**
             * @description Services that codes may be redeemed at
             * @example 3
             */
            upstreams: number;
            /**
             * @description Of them, those that are sent orders now: neither paused nor resting
             * @example 2
             */
            usable: number;
            /**
             * @description Told while another machine seems to serve the same codes: none are handed out, and a code that is used is asked about. No reason to be unready
             * @enum {boolean}
             */
            contested?: true;
            /**
             * @description Where the service has a bot: `revoked`, the token is not known and nobody is answered; `failed`, the bot could not start and tries again; `contested`, another process fetches its updates. No reason to be unready
             * @enum {string}
             */
            telegram?: "starting" | "reachable" | "unreachable" | "revoked" | "failed" | "contested";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
