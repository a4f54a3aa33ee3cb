package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clusterFile is what the nodes of the profile cluster know of one another.
type clusterFile struct {
	Shards []struct {
		Replicas []struct {
			Host string `xml:"host"`
			Port int    `xml:"port"`
			User string `xml:"user"`
		} `xml:"replica"`
	} `xml:"remote_servers>bitacora>shard"`
	Keepers []string `xml:"zookeeper>node>host"`
}

type keeperFile struct {
	Servers []struct {
		ID       string `xml:"id"`
		Hostname string `xml:"hostname"`
	} `xml:"keeper_server>raft_configuration>server"`
}

// clusterServices are those that run with the single ones or in their place, by their names.
func clusterServices(t *testing.T, profile, prefix string) (c compose, names []string) {
	t.Helper()
	c = readCompose(t)
	for name, s := range c.Services {
		if strings.HasPrefix(name, prefix) && slices.Contains(s.Profiles, profile) {
			names = append(names, name)
			if s.Hostname != "" && s.Hostname != name {
				t.Errorf("%s calls itself %s", name, s.Hostname)
			}
		}
	}
	slices.Sort(names)
	return c, names
}

func TestComposeStartsOneOfEachByItself(t *testing.T) {
	for name, s := range readCompose(t).Services {
		alone := slices.Contains([]string{"postgres", "clickhouse", "bitacora"}, name)
		if alone != (len(s.Profiles) == 0) {
			t.Errorf("%s is of the profiles %v", name, s.Profiles)
		}
	}
}

func TestComposeClusterHasEveryNode(t *testing.T) {
	c, nodes := clusterServices(t, "cluster", "clickhouse-")
	var cluster clusterFile
	readXML(t, "clickhouse.xml", &cluster)
	var known []string
	for i, shard := range cluster.Shards {
		for j, replica := range shard.Replicas {
			known = append(known, replica.Host)
			environment := c.Services[replica.Host].Environment
			for name, want := range map[string]int{"SHARD": i + 1, "REPLICA": j + 1} {
				if got := environment[name]; got == nil || *got != fmt.Sprint(want) {
					t.Errorf("%s: %s is not %d", replica.Host, name, want)
				}
			}
			if user := environment["CLICKHOUSE_USER"]; replica.Port != 9000 || user == nil || *user != replica.User {
				t.Errorf("%s is asked at port %d as %s", replica.Host, replica.Port, replica.User)
			}
		}
	}
	if !slices.Equal(known, nodes) || len(nodes) != 4 {
		t.Errorf("the nodes know %v, and are %v", known, nodes)
	}
	_, keepers := clusterServices(t, "keeper", "keeper-")
	if !slices.Equal(cluster.Keepers, keepers) || len(keepers) != 3 {
		t.Errorf("the nodes ask %v, and the keepers are %v", cluster.Keepers, keepers)
	}
	var keeper keeperFile
	readXML(t, "keeper.xml", &keeper)
	var together []string
	for _, s := range keeper.Servers {
		together = append(together, s.Hostname)
		if id := c.Services[s.Hostname].Environment["KEEPER"]; id == nil || *id != s.ID {
			t.Errorf("%s is not keeper %s", s.Hostname, s.ID)
		}
	}
	if !slices.Equal(together, keepers) {
		t.Errorf("the keepers know %v, and are %v", together, keepers)
	}
}

func readXML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../schema/cluster/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestComposeClusterIsAskedWhole: each process of the program knows every server of the cluster, and the proxy
// every process that serves.
func TestComposeClusterIsAskedWhole(t *testing.T) {
	c, nodes := clusterServices(t, "cluster", "clickhouse-")
	_, servers := clusterServices(t, "cluster", "postgres-")
	for _, name := range c.programs() {
		s := c.Services[name]
		if len(s.Profiles) == 0 {
			continue
		}
		for setting, want := range map[string][]string{"BITACORA_DATABASE_URL": servers, "BITACORA_CLICKHOUSE_URL": nodes} {
			if got := hostsOf(t, *s.Environment[setting]); !slices.Equal(got, want) {
				t.Errorf("%s: %s names %v, want %v", name, setting, got, want)
			}
		}
	}
	_, serving := clusterServices(t, "cluster", "serve-")
	_, projecting := clusterServices(t, "cluster", "project-")
	text, err := os.ReadFile("../../schema/cluster/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, found := range regexp.MustCompile(`(serve-\d+):8080`).FindAllStringSubmatch(string(text), -1) {
		asked = append(asked, found[1])
	}
	if !slices.Equal(asked, serving) || len(serving) != 3 || len(projecting) != 2 {
		t.Errorf("the proxy asks %v; %v serve, and %v project", asked, serving, projecting)
	}
}
