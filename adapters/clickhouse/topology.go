package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// member is a node of the cluster as a server knows it.
type member struct {
	place
	host   string
	port   uint16
	weight uint32
	local  bool
	// replicates says that the servers copy rows between replicas themselves.
	replicates bool
}

// locate finds out which place in the cluster each node has, and that the nodes are all that there
// are: what is done on every node would otherwise leave one out. Servers take a changed
// remote_servers over while they run. One by which rows would come to lie on another shard than
// those of the same subject is an error.
func (db *DB) locate(ctx context.Context) error {
	if db.cluster.Name == "" {
		return nil
	}
	seen, errs := gather(db.cluster.patient(ctx), db, db.nodes, db.members)
	left, err := db.cluster.compare(db.nodes, seen, errs)
	if err != nil {
		return err
	}
	return db.settle(seen, errs, left)
}

// located is locate where that was not done before.
func (db *DB) located(ctx context.Context) error {
	db.mu.Lock()
	placed := db.placed
	db.mu.Unlock()
	if placed {
		return nil
	}
	return db.locate(ctx)
}

// settle keeps the places that the nodes are found in first. The place of one that is away is the one that is left; those of
// several cannot be told apart.
func (db *DB) settle(seen [][]member, errs []error, left []place) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for i, n := range db.nodes {
		found := n.place
		switch {
		case errs[i] == nil:
			found = localOf(seen[i]).place
		case !db.placed && len(left) == 1:
			found, left = left[0], nil
		case !db.placed:
			return errors.Join(errs...)
		}
		if db.placed && found.shard != n.place.shard {
			return fmt.Errorf("node %s was of shard %d of the cluster %s when this program began, and is of shard %d now: put remote_servers back, or restart this program and run bitacora rebuild",
				n.address(), n.place.shard, db.cluster.Name, found.shard)
		}
		if !db.placed {
			n.place = found
		}
	}
	db.placed = true
	return nil
}

// members lists the cluster as a node knows it.
func (db *DB) members(ctx context.Context, n *node) ([]member, error) {
	c, err := n.server()
	if err != nil {
		return nil, err
	}
	rows, err := c.Query(ctx, `SELECT shard_num, replica_num, host_name, port, shard_weight, is_local::Bool, internal_replication::Bool
		FROM system.clusters WHERE cluster = $1 ORDER BY shard_num, replica_num`, db.cluster.Name)
	if err != nil {
		return nil, fmt.Errorf("list the cluster's nodes: %w", err)
	}
	defer rows.Close()
	var list []member
	for rows.Next() {
		var m member
		if err := rows.Scan(&m.shard, &m.replica, &m.host, &m.port, &m.weight, &m.local, &m.replicates); err != nil {
			return nil, fmt.Errorf("list the cluster's nodes: %w", err)
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// compare says what is wrong with what was configured, here or on the servers: seen is the cluster
// as each of the nodes knows it that answer. Left are the places of those that do not.
func (c Cluster) compare(nodes []*node, seen [][]member, errs []error) (left []place, err error) {
	first := slices.IndexFunc(errs, func(err error) bool { return err == nil })
	if first < 0 {
		return nil, errors.Join(errs...)
	}
	at, away := map[place]string{}, 0
	for i, list := range seen {
		if errs[i] != nil {
			away++
			continue
		}
		address, own := nodes[i].address(), localOf(list)
		switch {
		case len(list) == 0:
			return nil, fmt.Errorf("node %s knows no cluster %q: name the one of its remote_servers in BITACORA_CLICKHOUSE_CLUSTER", address, c.Name)
		case !slices.EqualFunc(list, seen[first], sameMember):
			return nil, fmt.Errorf("nodes %s and %s know the cluster %s differently: give them the same remote_servers", nodes[first].address(), address, c.Name)
		case own == nil:
			return nil, fmt.Errorf("node %s finds itself in no place of the cluster %s: its remote_servers and its tcp_port do not agree", address, c.Name)
		case at[own.place] != "":
			return nil, fmt.Errorf("BITACORA_CLICKHOUSE_URL names the node at %s twice, as %s and %s", own.place, at[own.place], address)
		case own.replicates != c.Keeper:
			return nil, fmt.Errorf("node %s has internal_replication %t in the cluster %s, and BITACORA_CLICKHOUSE_REPLICATION asks for %t: one of them is wrong", address, own.replicates, c.Name, c.Keeper)
		case own.weight != 1:
			return nil, fmt.Errorf("node %s has the weight %d in the cluster %s: rows would lie elsewhere once that changes; take it out of remote_servers", address, own.weight, c.Name)
		}
		at[own.place] = address
	}
	var missing []string
	for _, m := range seen[first] {
		if at[m.place] == "" {
			left, missing = append(left, m.place), append(missing, fmt.Sprintf("%s (%s:%d)", m.place, m.host, m.port))
		}
	}
	if len(missing) > away {
		return nil, fmt.Errorf("BITACORA_CLICKHOUSE_URL names %d of the %d nodes of the cluster %s; it lacks %s", len(nodes), len(seen[first]), c.Name, strings.Join(missing, ", "))
	}
	return left, nil
}

// sameMember says whether two nodes know another one as the same.
func sameMember(a, b member) bool {
	a.local, b.local = false, false
	return a == b
}

func localOf(list []member) *member {
	for i := range list {
		if list[i].local {
			return &list[i]
		}
	}
	return nil
}

// shards is how many there are.
func (db *DB) shards() (n uint32) {
	for _, node := range db.nodes {
		n = max(n, node.place.shard)
	}
	return n
}

// replicas is how many each shard has.
func (db *DB) replicas() (n uint32) {
	for _, node := range db.nodes {
		n = max(n, node.place.replica)
	}
	return n
}

// Complete says why rows cannot be stored on every node of a cluster; nil where they can.
func (db *DB) Complete(ctx context.Context) error {
	states, err := db.Nodes(ctx)
	for _, s := range states {
		err = errors.Join(err, s.Err)
	}
	return err
}

// NodeState is how a node of a cluster is.
type NodeState struct {
	// Address is its host and port in the URL; Place its shard and replica, as far as it answers.
	Address, Place string
	// Err is why it does not answer; nil if it does.
	Err error
}

// Nodes asks every node of a cluster how it is; of a server alone, there are none. The error says
// that what is configured here and there does not agree.
func (db *DB) Nodes(ctx context.Context) ([]NodeState, error) {
	if db.cluster.Name == "" {
		return nil, nil
	}
	seen, errs := gather(ctx, db, db.nodes, db.members)
	states := make([]NodeState, len(db.nodes))
	for i, n := range db.nodes {
		states[i] = NodeState{Address: n.address(), Err: errs[i]}
		if m := localOf(seen[i]); m != nil {
			states[i].Place = m.place.String()
		}
	}
	if errors.Join(errs...) != nil {
		return states, nil
	}
	_, err := db.cluster.compare(db.nodes, seen, errs)
	return states, err
}
