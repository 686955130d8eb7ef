MATCH (t:Trajectory {id: $id, kb: $kb})
RETURN t {.id, .question, .answer, .answered, .policy, .strategy, .seconds, .stopped, .citations,
          created: toString(t.created)} AS trajectory,
       COLLECT {
         MATCH (t)-[at:STEP]->(s:Step)
         ORDER BY at.index
         RETURN s {.thought, .query, .note, .seconds, facts: COLLECT {
           MATCH (s)-[found:RETRIEVED]->(h:Hyperedge)
           ORDER BY found.rank
           RETURN {id: h.id, text: h.text, score: found.score, path: found.path,
                   entities: [(h)-[:CONNECTS]->(e:Entity) | e.name]}
         }}
       } AS steps
