#include <shardlab/errors.hpp>
#include <shardlab/layout.hpp>

#include "refuse.hpp"

namespace shardlab {

Layout require_layout(const Layout& layout) {
    require_int("tp", layout.tp, 1);
    require_int("pp", layout.pp, 1);
    require_int("dp", layout.dp, 1);
    require_int("cp", layout.cp, 1);
    require_int("ep", layout.ep, 1);
    if (layout.ranks() > most_world_size) {
        refuse("ranks", "#", "be at most #", {layout.ranks(), most_world_size});
    }
    const int replicas = layout.dp * layout.cp;
    if (replicas % layout.ep != 0) {
        refuse("ep", "#", "divide dp·cp, which is #", {1.0 * layout.ep, 1.0 * replicas});
    }
    return layout;
}

}  // namespace shardlab
