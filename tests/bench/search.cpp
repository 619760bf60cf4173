// A plain twin of the search of single deals for two players, to measure the compiled kernels against.
// Reads a question and its deals as 64-bit numbers from one file, writes the values to another, prints the seconds.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using Number = int64_t;

constexpr Number SHOT = 1 << 26, HALF = SHOT >> 1, ENDLESS = Number(1) << 62, KILLER = Number(1) << 40;
enum Verb { GIVE, CLAIM, DUMP };

struct Column { int total = 0, cards = 0, last = 0; };

struct Table {
    Column loot[2][5], billy[5];
    Number part[2][5], score[2];
    int hand[2][12], held, mover, pile[5][12], count[5];
    bool margin;
    Number lowest, highest;
};

static Table t;
static Number history[2][240], factorials[21];
static int killer[64], replies[2][2], orders_[64], pile_size, fixed_;

static inline Column place(Column c, int face) {
    if (face < 11) return {c.total + face, c.cards + 1, face};
    return {c.total - c.last, c.cards ? c.cards - 1 : 0, 0};
}

static inline Number part(const Column& c, int billy) {
    return c.total <= billy ? (Number(c.total) << 16) - (c.cards << 8) : -SHOT - c.cards;
}

static inline Number strip(Number s) { return ((s + HALF) & (SHOT - 1)) - HALF; }

static inline Number duel(Number own, Number other) {
    if (own < -HALF && other < -HALF) { own = strip(own); other = strip(other); }
    if (t.margin) return (own > 0 ? (own + 65535) >> 16 : 0) - (other > 0 ? (other + 65535) >> 16 : 0);
    if (own <= 0 && other <= 0) return 0;
    return (own > other) - (own < other);
}

static inline void score(int player, int kind) {
    Number now = part(t.loot[player][kind], t.billy[kind].total);
    t.score[player] += now - t.part[player][kind];
    t.part[player][kind] = now;
}

static inline Column lay(int player, int card, int verb) {
    int kind = card >> 4;
    Column before;
    if (verb == CLAIM) {
        before = t.loot[player][kind];
        t.loot[player][kind] = place(before, card & 15);
        score(player, kind);
    } else if (verb == GIVE) {
        before = t.billy[kind];
        t.billy[kind] = place(before, card & 15);
        score(0, kind);
        score(1, kind);
    }
    return before;
}

static inline void take_back(int player, int card, int verb, const Column& before) {
    int kind = card >> 4;
    if (verb == CLAIM) {
        t.loot[player][kind] = before;
        score(player, kind);
    } else if (verb == GIVE) {
        t.billy[kind] = before;
        score(0, kind);
        score(1, kind);
    }
}

static Number last_reply(int player, Number enough) {
    int other = 1 - player, options = 1 + 2 * t.held, first = replies[0][player];
    Number best = -ENDLESS;
    for (int turn = -1; turn < options; turn++) {
        if (turn == first) continue;
        int option = turn < 0 ? first : turn;
        Number own = t.score[player], others = t.score[other];
        if (option > 0) {
            int card = t.hand[player][(option - 1) >> 1], kind = card >> 4, face = card & 15;
            own -= t.part[player][kind];
            if (option & 1) {
                own += part(place(t.loot[player][kind], face), t.billy[kind].total);
            } else {
                int billy = place(t.billy[kind], face).total;
                own += part(t.loot[player][kind], billy);
                others += part(t.loot[other][kind], billy) - t.part[other][kind];
            }
        }
        Number value = duel(own, others);
        if (value > best) {
            best = value;
            if (value >= enough) { replies[0][player] = option; break; }
        }
    }
    return best;
}

static Number last_two(int player, Number worst, Number enough) {
    int options = 1 + 2 * t.held, first = replies[1][player];
    Number best = -ENDLESS;
    for (int turn = -1; turn < options; turn++) {
        if (turn == first) continue;
        int option = turn < 0 ? first : turn;
        Number wanted = -std::max(worst, best), value;
        if (option == 0) {
            value = -last_reply(1 - player, wanted);
        } else {
            int card = t.hand[player][(option - 1) >> 1], verb = option & 1 ? CLAIM : GIVE;
            Column before = lay(player, card, verb);
            value = -last_reply(1 - player, wanted);
            take_back(player, card, verb, before);
        }
        if (value > best) {
            best = value;
            if (value >= enough) { replies[1][player] = option; break; }
        }
    }
    return best;
}

static Number search(int player, int left, int top, Number whole, int depth, int forced, Number least, Number most);

static int pick_up(int kind, int number) {
    std::swap(t.pile[kind][number], t.pile[kind][--t.count[kind]]);
    return t.pile[kind][t.count[kind]];
}

static void put_back(int kind, int number) { std::swap(t.pile[kind][number], t.pile[kind][t.count[kind]++]); }

// The draw after a move: the sum over all that can be drawn and can then show, cut off by Star1 bounds.
static Number draw(int player, int left, int top, Number whole, int depth, int index, Number least, Number most) {
    int size = left - 2, held = t.hand[player][index];
    Number sum = 0, rest = whole;
    bool showing = top >= 0 && size > 1;
    Number unit = factorials[showing ? size - 2 : size - 1];
    auto child = [&](int kind, Number weight, int shown) {
        rest -= weight;
        Number low = least - sum - t.highest * rest, high = most - sum - t.lowest * rest;
        t.hand[player][index] = t.pile[kind][t.count[kind]];
        Number value = search(1 - player, left - 1, shown, weight, depth + 1, -1, std::max(low, t.lowest * weight),
                              std::min(high, t.highest * weight));
        t.hand[player][index] = held;
        sum += value;
        if (value <= low) { sum += t.highest * rest; return true; }
        if (value >= high) { sum += t.lowest * rest; return true; }
        return false;
    };
    if (depth < fixed_) {
        int card = orders_[depth], kind = card >> 4, number = 0;
        while (t.pile[kind][number] != card) number++;
        pick_up(kind, number);
        child(kind, whole, top >= 0 && depth + 1 < pile_size ? orders_[depth + 1] >> 4 : -1);
        put_back(kind, number);
        return sum;
    }
    for (int kind = std::max(top, 0); kind < (top < 0 ? 5 : top + 1); kind++)
        for (int number = 0; number < t.count[kind]; number++) {
            pick_up(kind, number);
            bool cut = false;
            if (!showing) cut = child(kind, unit, -1);
            else
                for (int shown = 0; shown < 5 && !cut; shown++)
                    if (t.count[shown]) cut = child(kind, t.count[shown] * unit, shown);
            put_back(kind, number);
            if (cut) return sum;
        }
    return sum;
}

static Number search(int player, int left, int top, Number whole, int depth, int forced, Number least, Number most) {
    bool own = player == t.mover;
    if (forced < 0 && left <= 2) {
        Number value;
        if (left == 0) value = duel(t.score[player], t.score[1 - player]);
        else if (left == 1) value = last_reply(player, own ? most : -least);
        else value = own ? last_two(player, least, most) : last_two(player, -most, -least);
        return own ? value : -value;
    }
    int moves[36], number = 0;
    Number keys[36];
    if (forced >= 0) moves[number++] = forced;
    else
        for (int index = 0; index < t.held; index++)
            for (int verb = 0; verb < 3; verb++) {
                if (verb == DUMP && left <= 2 && index) continue;
                int known = t.hand[player][index] * 3 + verb, spot = number++;
                Number key = known == killer[depth] ? KILLER : history[player][known];
                for (; spot && keys[spot - 1] < key; spot--) { keys[spot] = keys[spot - 1]; moves[spot] = moves[spot - 1]; }
                keys[spot] = key;
                moves[spot] = index * 3 + verb;
            }
    Number best = own ? -ENDLESS : ENDLESS;
    for (int next = 0; next < number; next++) {
        int index = moves[next] / 3, verb = moves[next] % 3, card = t.hand[player][index];
        Column before = lay(player, card, verb);
        Number value = left > 2 ? draw(player, left, top, whole, depth, index, least, most)
                                : search(1 - player, left - 1, -1, 1, depth + 1, -1, least, most);
        take_back(player, card, verb, before);
        if (own ? value > best : value < best) {
            best = value;
            if (own) least = std::max(least, value);
            else most = std::min(most, value);
        }
        if (least >= most) {
            killer[depth] = card * 3 + verb;
            history[player][card * 3 + verb] += Number(left) * left;
            break;
        }
    }
    return best;
}

static Number whole_orders(int top) {
    int left = pile_size - fixed_;
    if (left <= 0) return 1;
    if (top < 0) return factorials[left];
    int shown = fixed_ ? orders_[fixed_] >> 4 : top, number = t.count[shown];
    for (int index = 0; index < fixed_; index++) number -= orders_[index] >> 4 == shown;
    return number * factorials[left - 1];
}

int main(int, char** arguments) {
    FILE* in = std::fopen(arguments[1], "rb");
    auto read = [&](size_t number) {
        std::vector<Number> result(number);
        if (std::fread(result.data(), sizeof(Number), number, in) != number) std::exit(1);
        return result;
    };
    auto head = read(13);
    auto mover = head[1], held = head[2], goal = head[3], left = head[6], top = head[7], scale = head[9];
    size_t deals = head[10], plays = head[11];
    fixed_ = head[8];
    size_t given = head[12];
    auto zones = read(60), play = read(2 * plays), faces = read(60 * deals), orders = read(given * deals);
    std::fclose(in);
    factorials[0] = 1;
    for (int n = 1; n < 21; n++) factorials[n] = n * factorials[n - 1];
    std::vector<Number> out(deals * plays);
    auto begin = std::chrono::steady_clock::now();
    for (size_t deal = 0; deal < deals; deal++) {
        const Number* face = &faces[60 * deal];
        t = Table{};
        t.held = held, t.mover = mover, t.margin = goal == 1, t.lowest = head[4], t.highest = head[5];
        std::memset(history, 0, sizeof history);
        std::memset(replies, 0, sizeof replies);
        int in_hand[2] = {0, 0};
        for (int slot = 0; slot < 60; slot++) {
            int kind = slot / 12, zone = zones[slot], card = kind * 16 + face[slot];
            if (zone == 0 || zone == 1) t.hand[zone][in_hand[zone]++] = card;
            else if (zone == 5 || zone == 6) t.loot[zone - 5][kind] = place(t.loot[zone - 5][kind], face[slot]);
            else if (zone == 10) t.billy[kind] = place(t.billy[kind], face[slot]);
            else if (zone == 12) t.pile[kind][t.count[kind]++] = card;
        }
        for (int kind = 0; kind < 5; kind++) score(0, kind), score(1, kind);
        pile_size = 0;
        for (int kind = 0; kind < 5; kind++) pile_size += t.count[kind];
        for (size_t index = 0; index < given; index++) {
            int slot = orders[deal * given + index];
            orders_[index] = slot / 12 * 16 + face[slot];
        }
        Number whole = whole_orders(top);
        for (size_t number = 0; number < plays; number++) {
            int slot = play[2 * number], card = slot / 12 * 16 + face[slot], index = 0;
            while (t.hand[mover][index] != card) index++;
            Number value = search(mover, left, top, whole, 0, index * 3 + play[2 * number + 1], t.lowest * whole,
                                  t.highest * whole);
            out[deal * plays + number] = value * (scale / whole);
        }
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    FILE* to = std::fopen(arguments[2], "wb");
    std::fwrite(out.data(), sizeof(Number), out.size(), to);
    std::fclose(to);
    std::printf("%.9f\n", spent.count());
}
